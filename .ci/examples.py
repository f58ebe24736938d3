"""Runs the examples of the documentation as they are printed.

    examples.py FILE_OR_FOLDER...

Each block of a Markdown file that is fenced as `sh` is run by bash in the current
folder, in order, and must succeed; a later block can use the files that an earlier one
wrote. `lovec` must be on the PATH. A block whose preceding line is a comment
`<!-- not run: REASON -->` is listed but not run.

A block fenced as `console` shows commands, after `$ `, and their output. The commands
are run too, but the output is not compared, since it contains times.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

FENCE = re.compile(r"^```(\w*)\s*$")
NOT_RUN = re.compile(r"^<!-- not run: (.+) -->$")
TIMEOUT_SECONDS = 300


def blocks(text):
    """For each block its line number, language, text, and reason not to run it."""
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
        reason = NOT_RUN.match(before)
        yield index + 1, fence[1], "\n".join(lines[index + 1 : end]), reason and reason[1]
        index = end + 1


def script(language, text):
    """The commands for bash, or `None` if the block has none."""
    if language == "sh":
        return text
    if language == "console":
        commands = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
        return "\n".join(commands)
    return None


def main():
    paths = []
    for name in sys.argv[1:]:
        path = Path(name)
        paths += sorted(path.rglob("*.md")) if path.is_dir() else [path]
    run = left_out = 0
    for path in paths:
        for line, language, text, reason in blocks(path.read_text(encoding="utf-8")):
            commands = script(language, text)
            if commands is None:
                continue
            if reason:
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
            if result.returncode != 0:
                print(f"{path}:{line}: status {result.returncode}\n{commands}")
                print(result.stdout.decode(errors="replace")[-4000:])
                return 1
            print(f"{path}:{line}: ok, {seconds:.1f} s")
            run += 1
    print(f"{run} examples passed, {left_out} not run")
    return 0 if run else 1


if __name__ == "__main__":
    sys.exit(main())
