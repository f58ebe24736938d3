"""Runs the examples of the documentation as they are printed.

    examples.py [--write] FILE_OR_FOLDER...

Each block of a Markdown file that is fenced as `sh` is run by bash in the current
folder, in order, and must succeed; a later block can use the files that an earlier one
wrote. `lovec` must be on the PATH. A block whose preceding line is a comment
`<!-- not run: REASON -->` is listed but not run.

A block fenced as `console` shows commands, after `$ `, and their output. The commands are
run too, and each line that is shown must be among the lines that they print, in the same
order; lines may be left out. After a comment `<!-- times vary -->` decimal numbers and
times may differ, and after `<!-- output varies: REASON -->` the output is not compared.

With --write, lines that differ are replaced in the file where a block shows all lines.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

FENCE = re.compile(r"^```(\w*)\s*$")
COMMENT = re.compile(r"^<!-- (not run|output varies|times vary)(?:: (.+))? -->$")
TIME = re.compile(r"\b\d+[.:]\d+\b")
TIMEOUT_SECONDS = 300


def blocks(text):
    """For each block its line number, language, text, and the comment before it."""
    lines = text.splitlines()
    index = 0
    while index < len(lines):
        fence = FENCE.match(lines[index])
        if not fence:
            index += 1
            continue
        end = index + 1
        while end < len(lines) and lines[end] != "```":
            end += 1
        before = next((line for line in reversed(lines[:index]) if line.strip()), "")
        comment = COMMENT.match(before)
        comment = comment.groups() if comment else (None, None)
        yield index + 1, fence[1], "\n".join(lines[index + 1 : end]), comment
        index = end + 1


def script(language, text):
    """The commands for bash, or `None` if the block has none."""
    if language == "sh":
        return text
    if language == "console":
        commands = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
        return "\n".join(commands)
    return None


def form(line, times_vary):
    """What of a line is compared. The width of a column follows from its numbers."""
    return " ".join(TIME.sub("TIME", line).split()) if times_vary else line.rstrip()


def missing_line(shown, printed, times_vary):
    """The first line that a block shows and its commands did not print."""
    lines = iter([form(line, times_vary) for line in printed])
    for line in shown:
        if form(line, times_vary) not in lines:
            return line
    return None


def rewrite(path, line, text, printed):
    """Replaces the output that a block at a line shows, if it shows that of one command or
    as many lines as were printed."""
    rows = text.splitlines()
    while printed and not printed[-1].strip():
        printed = printed[:-1]
    printed = [row.rstrip() for row in printed]
    places = [index for index, row in enumerate(rows) if not row.startswith("$ ")]
    if len(places) == len(printed):
        written = rows[:]
        for place, row in zip(places, printed):
            written[place] = row
    elif len(rows) - len(places) == 1 and rows[0].startswith("$ "):
        written = rows[:1] + printed
    else:
        return False
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line : line + len(rows)] = written
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return True


def main():
    write = "--write" in sys.argv[1:]
    paths = []
    for name in sys.argv[1:]:
        if name == "--write":
            continue
        path = Path(name)
        paths += sorted(path.rglob("*.md")) if path.is_dir() else [path]
    run = compared = left_out = failed = 0
    for path in paths:
        for line, language, text, (comment, reason) in blocks(path.read_text(encoding="utf-8")):
            commands = script(language, text)
            if commands is None:
                continue
            if comment == "not run":
                print(f"{path}:{line}: not run: {reason}")
                left_out += 1
                continue
            start = time.monotonic()
            result = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", commands],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
            seconds = time.monotonic() - start
            printed = result.stdout.decode(errors="replace")
            if result.returncode != 0:
                print(f"{path}:{line}: status {result.returncode}\n{commands}")
                print(printed[-4000:])
                return 1
            if language == "console" and comment != "output varies":
                shown = [row for row in text.splitlines() if not row.startswith("$ ")]
                missing = missing_line(shown, printed.splitlines(), comment == "times vary")
                if missing is not None:
                    print(f"{path}:{line}: not printed: {missing}\n{printed[-4000:]}")
                    if write and rewrite(path, line, text, printed.splitlines()):
                        print(f"{path}:{line}: rewritten")
                    else:
                        failed += 1
                    continue
                compared += 1
            print(f"{path}:{line}: ok, {seconds:.1f} s")
            run += 1
    print(
        f"{run} examples passed, the output of {compared} as shown, "
        f"{failed} failed, {left_out} not run"
    )
    return 0 if run and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
