"""Runs OpenBench with Lovec on the loopback address: a test and a tune, to their ends.

    openbench.py OPENBENCH FASTCHESS BOOK FOLDER [GAMES]

OPENBENCH is a checkout of OpenBench, whose server and client need Django 4.2.1,
django-htmlmin, requests, scipy, psutil and py-cpuinfo. FASTCHESS is the program, BOOK an
EPD file of openings. GAMES is a multiple of 16, by default 400. Everything is written to
FOLDER; a later run uses again what an earlier one has built there.

The client builds two commits of this repository by the Makefile, HEAD and another which
differs in one number of the search, and they play each other. A first test names a wrong bench,
which the client must find. Then a third commit is built, with the feature `spsa`, and
eight numbers of the search are tuned. The server and the client are OpenBench's own; this
script stands in for GitHub, which both ask for the sources, and for the user.
"""

import hashlib
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile

import requests

ROOT = pathlib.Path(__file__).resolve().parents[3]
REPOSITORY = "https://github.com/lovec/lovec"
USER = {"username": "author", "password": "loopback"}
CHANGE = (r"lmr_slope = \d+ in", "lmr_slope = 250 in")
TUNED = [
    "rfp_margin",
    "razor_margin",
    "lmp_factor",
    "futility_margin",
    "see_quiet_margin",
    "lmr_base",
    "lmr_slope",
    "singular_margin",
]
PAIRS_FOR_AN_ITERATION = 8
LIMIT = {"options": "Threads=1 Hash=16", "time_control": "N=5000"}
SETTINGS = {
    "book_name": "openings.epd",
    "upload_pgns": "FALSE",
    "throughput": "1000",
    "priority": "0",
    "syzygy_wdl": "DISABLED",
    "syzygy_adj": "DISABLED",
    "win_adj": "movecount=3 score=600",
    "draw_adj": "movenumber=34 movecount=8 score=12",
    "scale_method": "BASE",
    "scale_nps": "3000000",
}
# Loaded by each Python of OpenBench before anything else.
REDIRECTION = """
import os
import requests.sessions
request = requests.sessions.Session.request
def redirected(self, method, url, *args, **kwargs):
    for host in "https://api.github.com/", "https://raw.githubusercontent.com/":
        url = url.replace(host, os.environ["GITHUB_STAND_IN"])
    return request(self, method, url, *args, **kwargs)
requests.sessions.Session.request = redirected
"""
# What an administrator does for a new user.
REGISTRATION = f"""
from django.contrib.auth.models import User
from OpenBench.models import Profile
user = User.objects.create_user("{USER["username"]}", password="{USER["password"]}")
Profile.objects.create(user=user, enabled=True, approver=True)
"""
# The client ends processes by their names; this leaves the processes of other sessions alone.
PKILL = '#!/bin/sh\nexec /usr/bin/pkill -s 0 "$@"\n'


class GitHub(http.server.BaseHTTPRequestHandler):
    """What OpenBench asks of GitHub: commits, zip files of commits, and a book."""

    repository: pathlib.Path
    book: pathlib.Path

    def do_GET(self) -> None:
        try:
            match self.path.strip("/").split("/"):
                case ["repos", _, _, "branches", name]:
                    self.answer({"name": name, "commit": self.commit(name)})
                case ["repos", _, _, "commits", name]:
                    self.answer(self.commit(name))
                case ["repos", _, _, "zipball", sha]:
                    archive = ["archive", "--format=zip", f"--prefix=lovec-{sha}/", sha]
                    self.send(git(self.repository, *archive))
                case ["repos", _, _, "compare", _]:
                    self.answer({"ahead_by": 0})
                case [*_, "openings.epd.zip"]:
                    data = io.BytesIO()
                    with zipfile.ZipFile(data, "w") as file:
                        file.write(self.book, "openings.epd")
                    self.send(data.getvalue())
                case _:
                    self.send_error(404)
        except subprocess.CalledProcessError:
            self.send_error(404)

    def commit(self, name: str) -> dict:
        log = git(self.repository, "log", "-1", "--format=%H%n%B", name).decode()
        sha, message = log.split("\n", 1)
        return {"sha": sha, "commit": {"message": message}}

    def answer(self, value: dict) -> None:
        self.send(json.dumps(value).encode())

    def send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def git(folder: pathlib.Path, *args: str) -> bytes:
    command = ["git", "-C", str(folder), "-c", "user.name=author", "-c", "user.email=author", *args]
    return subprocess.run(command, capture_output=True, check=True).stdout


def make_branches(repository: pathlib.Path) -> None:
    """A clone of this repository with the branches `main`, `changed` and `tune`."""
    if repository.exists():
        return
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(repository)], check=True)
    git(repository, "checkout", "-B", "main")
    for branch, name, (old, new) in [
        ("changed", "src/search/params.rs", CHANGE),
        ("tune", "Makefile", (r"\nFEATURES \?=\n", "\nFEATURES ?= spsa\n")),
    ]:
        git(repository, "checkout", "-b", branch, "main")
        file = repository / name
        text, count = re.subn(old, new, file.read_text())
        assert count == 1, f"{old} is {count} times in {name}"
        file.write_text(text)
        git(repository, "commit", "--all", "--message", branch)


def configure(openbench: pathlib.Path, book: pathlib.Path) -> None:
    """The engine as `docs/testing.md` prints it, and one book."""
    page = (ROOT / "docs/testing.md").read_text()
    engine = json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])
    engine["source"] = REPOSITORY
    openings = {
        "sha": hashlib.sha256(book.read_bytes()).hexdigest(),
        "source": "https://raw.githubusercontent.com/openings.epd.zip",
    }
    write_json(openbench / "Engines/Lovec.json", engine)
    write_json(openbench / "Books/openings.epd.json", openings)
    path = openbench / "Config/config.json"
    config = json.loads(path.read_text()) | {"books": ["openings.epd"], "engines": ["Lovec"]}
    write_json(path, config)


def write_json(path: pathlib.Path, value: dict) -> None:
    path.write_text(json.dumps(value, indent=4))


class Browser:
    """The user on the pages of the server."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.session = requests.Session()

    def get(self, path: str) -> requests.Response:
        return self.session.get(self.address + path)

    def post(self, path: str, data: dict) -> None:
        """Sends a form, and fails with the error that the next page shows."""
        self.get("/login/")
        token = {"csrfmiddlewaretoken": self.session.cookies["csrftoken"]}
        response = self.session.post(self.address + path, data=data | token)
        response.raise_for_status()
        error = re.search(r'class="?error-message"?>\s*<pre>(.*?)<', response.text, re.DOTALL)
        assert not error, error[1].strip()

    def create(self, kind: str, data: dict) -> int:
        """Creates a test or a tune; its number."""
        self.post(f"/{kind}/new/", SETTINGS | data)
        numbers = re.findall(rf'href="?/{kind}/(\d+)', self.get("/index/").text)
        return max(map(int, numbers))

    def wrong_bench(self) -> str:
        return re.findall(r"Wrong Bench: (\d+)", self.get("/errors/").text)[0]

    def wait_for_pages(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                self.get("/index/").raise_for_status()
                return
            except requests.ConnectionError:
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.5)

    def wait_for_games(self, test: int) -> dict:
        """The data of the test, after its last game."""
        while True:
            info = self.get(f"/api/workload/{test}/info/").json()["info"]
            if info["finished"]:
                return info
            time.sleep(10)


def parameters() -> str:
    """The lines that `docs/testing.md` prints, of the tuned parameters."""
    pattern = r"^ *(\w+) = (-?\d+) in (-?\d+)\.\.=(\d+), step (\d+);"
    text = (ROOT / "src/search/params.rs").read_text()
    rows = re.findall(pattern, text, re.MULTILINE)
    tuned = [row for row in rows if row[0] in TUNED]
    lines = [f"{name}, int, {', '.join(numbers)}, 0.002" for name, *numbers in tuned]
    assert len(lines) == len(TUNED), lines
    return "\n".join(lines)


def engine(side: str, branch: str, bench: str) -> dict:
    """The fields of a form for one engine."""
    fields = {"engine": "Lovec", "repo": REPOSITORY, "network": ""} | LIMIT
    fields |= {"branch": branch, "bench": bench}
    return {f"{side}_{name}": value for name, value in fields.items()}


def play_test(browser: Browser, games: int, known_bench: str) -> None:
    base = engine("base", "main", known_bench)
    form = {
        "test_mode": "GAMES",
        "test_bounds": "N/A",
        "test_confidence": "N/A",
        "test_max_games": str(games),
        "workload_size": "8",
        "info": "one number of the search",
    }
    refused = browser.create("test", form | base | engine("dev", "changed", "1"))
    browser.wait_for_games(refused)
    bench = browser.wrong_bench()
    print(f"test {refused}: ended by its wrong bench, which is {bench}", flush=True)
    test = browser.create("test", form | base | engine("dev", "changed", bench))
    info = browser.wait_for_games(test)
    losses, draws, wins = info["tri"]
    summary = browser.get(f"/api/workload/{test}/summary/").json()["summary"]["user"]
    assert info["games"] >= games and not info["error"], info
    print(f"test {test}: {info['games']} games, {wins} won, {draws} drawn, {losses} lost;")
    print(f"    Elo {summary[0]['elo']}, pairs of games {summary[0]['penta']}", flush=True)


def play_tune(browser: Browser, games: int, known_bench: str) -> None:
    form = {
        "spsa_inputs": parameters(),
        "spsa_reporting_type": "BATCHED",
        "spsa_distribution_type": "MULTIPLE",
        "spsa_alpha": "0.602",
        "spsa_gamma": "0.101",
        "spsa_A_ratio": "0.1",
        "spsa_iterations": str(games // (2 * PAIRS_FOR_AN_ITERATION)),
        "spsa_pairs_per": str(PAIRS_FOR_AN_ITERATION),
        "info": "eight numbers of the search",
    }
    tune = browser.create("tune", form | engine("dev", "tune", known_bench))
    info = browser.wait_for_games(tune)
    assert info["games"] >= games and not info["error"], info
    print(f"tune {tune}: {info['games']} games")
    rows = browser.get(f"/api/spsa/{tune}/digest/").text.splitlines()
    for row in rows[1:]:
        name, now, start, *_ = row.split(",")
        print(f"    {name}: {start} to {now}")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def main() -> None:
    checkout, fastchess, book, folder = (pathlib.Path(text).absolute() for text in sys.argv[1:5])
    games = int(sys.argv[5]) if len(sys.argv) > 5 else 400
    # Whatever ends this script, what it started is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    known_bench = (ROOT / "tests/data/bench.txt").read_text().strip()

    openbench, client, python = folder / "openbench", folder / "client", folder / "python"
    shutil.rmtree(openbench, ignore_errors=True)
    shutil.copytree(checkout, openbench, ignore=shutil.ignore_patterns(".git", "db.sqlite3"))
    configure(openbench, book)
    make_branches(folder / "lovec")
    shutil.copytree(openbench / "Client", client, dirs_exist_ok=True)
    shutil.copy(fastchess, client / "fastchess-ob")
    python.mkdir(exist_ok=True)
    (python / "sitecustomize.py").write_text(REDIRECTION)
    (python / "pkill").write_text(PKILL)
    (python / "pkill").chmod(0o755)

    GitHub.repository, GitHub.book = folder / "lovec", book
    stand_in = http.server.ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    threading.Thread(target=stand_in.serve_forever, daemon=True).start()
    environment = os.environ | {
        "GITHUB_STAND_IN": f"http://127.0.0.1:{stand_in.server_port}/",
        "PYTHONPATH": str(python),
        "PATH": f"{python}:{os.environ['PATH']}",
    }
    port = free_port()
    running = []

    def manage(*args: str) -> list[str]:
        return [sys.executable, "manage.py", *args]

    def start(name: str, command: list[str], directory: pathlib.Path) -> None:
        with (folder / f"{name}.log").open("w") as log:
            running.append(
                subprocess.Popen(
                    command,
                    cwd=directory,
                    env=environment,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )

    # A thread of the server complains of tables that are being made.
    migrate = manage("migrate", "--verbosity", "0")
    hidden = subprocess.DEVNULL
    subprocess.run(migrate, cwd=openbench, env=environment, stderr=hidden, check=True)
    try:
        address = f"127.0.0.1:{port}"
        start("server", manage("runserver", "--noreload", address), openbench)
        browser = Browser(port)
        browser.wait_for_pages()
        register = manage("shell", "-c", REGISTRATION)
        subprocess.run(register, cwd=openbench, env=environment, check=True)
        browser.post("/login/", USER)
        worker = [sys.executable, "client.py", "--no-client-downloads", "-T", "2", "-N", "1"]
        worker += ["-U", USER["username"], "-P", USER["password"], "-S", f"http://{address}"]
        start("client", worker, client)
        play_test(browser, games, known_bench)
        play_tune(browser, games, known_bench)
    finally:
        for process in running:
            os.killpg(process.pid, 15)
            process.wait()
    print("everything passed")


if __name__ == "__main__":
    main()
