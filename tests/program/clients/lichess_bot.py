"""Runs lichess-bot against a server on the loopback address that behaves like its own.

    lichess_bot.py LOVEC BOT FOLDER

BOT is a checkout of lichess-bot. Its stock configuration is used but for the token, the
address, the engine and the variants. The server offers games one after another, keeps the
clocks, and answers with random moves; captures first, so that games are short. Each game
must be won on the board, without an illegal move.
"""

import json
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import chess

BASE_SECONDS, INCREMENT_SECONDS = 60, 1
# A second is the least that the engine may have left: it must never be near a loss on time.
LEAST_CLOCK_MS = 1_000
PATIENCE_SECONDS = 280
KEEP_ALIVE_SECONDS = 3
BOT = {"id": "lovec-bot", "name": "Lovec-bot", "title": "BOT", "rating": 2500}
HUMAN = {"id": "human", "name": "Human", "title": None, "rating": 1500}
# The variant, the colour of the bot, and the first position.
PLAN = [
    ("standard", chess.WHITE, chess.STARTING_FEN),
    ("standard", chess.BLACK, chess.STARTING_FEN),
    ("chess960", chess.WHITE, chess.Board.from_chess960_pos(17).fen()),
    ("fromPosition", chess.BLACK, "4k3/8/8/8/8/8/4q3/6K1 b - - 0 1"),
]
NAMES = {"standard": "Standard", "chess960": "Chess960", "fromPosition": "From Position"}


class Game:
    """A game, its clocks, and the stream of its states."""

    def __init__(self, server: "Server", number: int) -> None:
        self.server = server
        self.id = f"game{number:04d}"
        self.variant, self.bot, self.start = PLAN[number]
        self.board = chess.Board(self.start, chess960=self.variant == "chess960")
        self.clocks = {color: BASE_SECONDS * 1000.0 for color in chess.COLORS}
        self.least = self.clocks[self.bot]
        self.since = time.monotonic()
        self.status, self.winner = "started", None
        self.stream: queue.Queue = queue.Queue()

    def state(self) -> dict:
        increment = INCREMENT_SECONDS * 1000
        state = {
            "type": "gameState",
            "moves": " ".join(move.uci() for move in self.board.move_stack),
            "wtime": int(self.clocks[chess.WHITE]),
            "btime": int(self.clocks[chess.BLACK]),
            "winc": increment,
            "binc": increment,
            "wdraw": False,
            "bdraw": False,
            "status": self.status,
        }
        if self.winner is not None:
            state["winner"] = chess.COLOR_NAMES[self.winner]
        return state

    def common(self) -> dict:
        first = "startpos" if self.start == chess.STARTING_FEN else self.start
        return {
            "id": self.id,
            "variant": {"key": self.variant, "name": NAMES[self.variant], "short": ""},
            "speed": "blitz",
            "perf": {"name": "Blitz"},
            "rated": False,
            "initialFen": first,
        }

    def challenge(self) -> dict:
        control = {"type": "clock", "limit": BASE_SECONDS, "increment": INCREMENT_SECONDS}
        color = chess.COLOR_NAMES[not self.bot]
        return {
            **self.common(),
            "status": "created",
            "challenger": HUMAN,
            "destUser": BOT,
            "timeControl": control,
            "color": color,
            "finalColor": color,
        }

    def full(self) -> dict:
        white, black = (BOT, HUMAN) if self.bot == chess.WHITE else (HUMAN, BOT)
        return {
            **self.common(),
            "type": "gameFull",
            "createdAt": int(time.time() * 1000),
            "white": white,
            "black": black,
            "clock": {"initial": BASE_SECONDS * 1000, "increment": INCREMENT_SECONDS * 1000},
            "state": self.state(),
        }

    def summary(self) -> dict:
        return {
            **self.common(),
            "gameId": self.id,
            "fullId": self.id,
            "color": chess.COLOR_NAMES[self.bot],
            "fen": self.board.fen(),
            "isMyTurn": self.board.turn == self.bot,
            "opponent": {"id": HUMAN["id"], "username": HUMAN["name"], "rating": HUMAN["rating"]},
            "secondsLeft": int(self.clocks[self.bot] / 1000),
            "source": "friend",
        }

    def push(self, move: chess.Move) -> None:
        side, now = self.board.turn, time.monotonic()
        # The clocks do not run before each side has moved.
        if len(self.board.move_stack) >= 2:
            self.clocks[side] -= (now - self.since) * 1000
            if side == self.bot:
                self.least = min(self.least, self.clocks[side])
            self.clocks[side] += INCREMENT_SECONDS * 1000
        self.since = now
        self.board.push(move)
        outcome = self.board.outcome(claim_draw=True)
        if self.clocks[side] <= 0:
            self.end("outoftime", not side)
        elif outcome:
            self.end("draw" if outcome.winner is None else "mate", outcome.winner)
        else:
            self.stream.put(self.state())
            if self.board.turn != self.bot:
                threading.Timer(0.2, self.reply).start()

    def end(self, status: str, winner: bool | None) -> None:
        self.status, self.winner = status, winner
        self.stream.put(self.state())
        self.stream.put(None)
        threading.Timer(1, self.server.next_game).start()

    def reply(self) -> None:
        moves = list(self.board.legal_moves)
        captures = [move for move in moves if self.board.is_capture(move)]
        self.push(self.server.rng.choice(captures or moves))


class Server(ThreadingHTTPServer):
    """The games and the stream of events."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.rng = random.Random(7)
        self.games: dict[str, Game] = {}
        self.events: queue.Queue = queue.Queue()
        self.faults: list[str] = []
        self.over = threading.Event()

    def next_game(self) -> None:
        if len(self.games) == len(PLAN):
            self.over.set()
            return
        game = Game(self, len(self.games))
        self.games[game.id] = game
        self.events.put({"type": "challenge", "challenge": game.challenge()})


class Handler(BaseHTTPRequestHandler):
    """The part of the interface for bots that lichess-bot uses."""

    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, value: object, status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_chunk(self, value: object) -> None:
        line = (json.dumps(value) if value else "").encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        self.wfile.flush()

    def answer_stream(self, values: queue.Queue, first: object = None) -> None:
        """A line a value until `None`; empty lines in between show that the server lives."""
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.send_chunk(first)
        while True:
            try:
                value = values.get(timeout=KEEP_ALIVE_SECONDS)
            except queue.Empty:
                value = {}
            if value is None:
                break
            self.send_chunk(value)
        self.wfile.write(b"0\r\n\r\n")

    def path_words(self) -> list[str]:
        return self.path.split("?")[0].strip("/").split("/")

    def do_GET(self) -> None:
        server = self.server
        match self.path_words():
            case ["api", "account"]:
                self.answer({**BOT, "username": BOT["name"], "perfs": {}})
            case ["api", "account", "playing"]:
                playing = [game for game in server.games.values() if game.board.move_stack]
                playing = [game.summary() for game in playing if game.status == "started"]
                self.answer({"nowPlaying": playing})
            case ["api", "users", "status"]:
                self.answer([{"id": BOT["id"], "online": True}])
            case ["api", "stream", "event"]:
                self.answer_stream(server.events)
            case ["api", "bot", "game", "stream", name]:
                game = server.games[name]
                if game.board.turn != game.bot:
                    threading.Timer(1, game.reply).start()
                self.answer_stream(game.stream, game.full())
            case _:
                self.answer({"error": "not found"}, 404)

    def do_POST(self) -> None:
        server = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        match self.path_words():
            case ["api", "token", "test"]:
                self.answer({body: {"scopes": "bot:play", "userId": BOT["id"]}})
            case ["api", "challenge", name, "accept"]:
                self.answer({"ok": True})
                server.events.put({"type": "gameStart", "game": server.games[name].summary()})
            case ["api", "bot", "game", name, "move", text]:
                self.play(server.games[name], text)
            case ["api", "bot", "game", _, "chat"]:
                self.answer({"ok": True})
            case words:
                server.faults.append(f"unexpected request: {words} {body}")
                self.answer({"ok": True})

    def play(self, game: Game, text: str) -> None:
        try:
            move = game.board.parse_uci(text)
            assert game.board.turn == game.bot, "not its turn"
        except (ValueError, AssertionError) as error:
            self.server.faults.append(f"{game.id}: {text}: {error}")
            self.answer({"error": str(error)}, 400)
            return
        self.answer({"ok": True})
        game.push(move)


def configuration(lovec: pathlib.Path, bot: pathlib.Path, port: int) -> str:
    """The stock configuration with what every user has to change."""
    text = (bot / "config.yml.default").read_text()
    for old, new in [
        ('token: "xxxxxxxxxxxxxxxxxxxxxx"', 'token: "token"'),
        ('url: "https://lichess.org/"', f'url: "http://127.0.0.1:{port}/"'),
        ('dir: "./engines/"', f'dir: "{lovec.parent}"'),
        ('name: "engine_name"', f'name: "{lovec.name}"'),
        ("#   - fromPosition", "    - fromPosition"),
        ("#   - chess960", "    - chess960"),
    ]:
        assert old in text, f"no {old} in config.yml.default"
        text = text.replace(old, new, 1)
    return text


def main() -> None:
    lovec, bot, folder = (pathlib.Path(text).absolute() for text in sys.argv[1:])
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    config = folder / "config.yml"
    config.write_text(configuration(lovec, bot, server.server_port))
    log = folder / "log.txt"
    command = [sys.executable, "lichess-bot.py", "--config", str(config), "-v"]
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=bot, stdout=output, stderr=subprocess.STDOUT)
    try:
        server.next_game()
        over = server.over.wait(PATIENCE_SECONDS)
    finally:
        process.terminate()
        process.wait()
    games = list(server.games.values())
    for game in games:
        color = chess.COLOR_NAMES[game.bot]
        print(
            f"{game.id}: {NAMES[game.variant]}, the bot is {color}: {game.status} after "
            f"{len(game.board.move_stack)} plies, at least {game.least:.0f} ms left"
        )
    assert over and not server.faults, f"{server.faults}; see {log}"
    for game in games:
        assert game.status == "mate" and game.winner == game.bot, game.board.fen()
        assert game.least >= LEAST_CLOCK_MS, game.least
    print("everything passed")


if __name__ == "__main__":
    main()
