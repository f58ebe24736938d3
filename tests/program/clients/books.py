"""Makes games, has the engine build a book of them, and counts for itself.

    books.py LOVEC FOLDER GAMES

The games are played and counted by python-chess alone. The book must hold exactly
the entries of that count, in the documented order, and python-chess must read it
back: the same moves, all of them legal, in every position of every game. What
`lovec book show` says must be what python-chess finds.
"""

import json
import math
import pathlib
import random
import re
import subprocess
import sys
from collections import defaultdict

import chess
import chess.pgn
import chess.polyglot

MAX_PLY = 24
MIN_GAMES = 2
RESULTS = ["1-0", "0-1", "1/2-1/2"]
# Castling both ways, promotions with and without capture, en passant by a pinned
# pawn, and openings.
STARTS = [
    chess.STARTING_FEN,
    chess.STARTING_FEN,
    chess.STARTING_FEN,
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "3k4/8/8/8/3p4/8/2P5/3RK3 w - - 0 1",
]
VARIANTS = [
    '[Variant "Chess960"]\n[FEN "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K1R1 w G - 0 1"]\n[SetUp "1"]',
    '[Variant "Atomic"]',
    '[Variant "Antichess"]',
]


def play(rng: random.Random, number: int) -> str:
    """A game as PGN. Four times of five it castles or plays one of two moves, so that
    games meet again; one in fifty games is of no use in some way."""
    fate = rng.randrange(250)
    result = "*" if fate == 0 else rng.choice(RESULTS)
    board = chess.Board(rng.choice(STARTS))
    tags = [f'[Event "{number}"]', f'[Result "{result}"]']
    if fate == 1:
        return "\n".join([*tags, rng.choice(VARIANTS)]) + f"\n\n1. e4 e5 {result}\n"
    if fate == 2:
        return "\n".join([*tags, '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]']) + f"\n\n1. e4 {result}\n"
    if board.fen() != chess.STARTING_FEN:
        tags += [f'[FEN "{board.fen()}"]', '[SetUp "1"]']
    words = []
    for _ in range(rng.randrange(1, 61)):
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        if not moves:
            break
        usual = [move for move in moves if board.is_castling(move)] or moves[:2]
        move = rng.choice(usual if rng.random() < 0.8 else moves)
        if board.turn or not words:
            words.append(f"{board.fullmove_number}{'.' if board.turn else '...'}")
        other = f"({board.san(rng.choice(moves))} $1 {{worse}})"
        words.append(board.san_and_push(move))
        if rng.random() < 0.02:
            words.append(rng.choice(["{a comment: Nf3}", "$3", other, "; e4\n"]))
    if fate == 3:
        words.append("Qa9xh1")
    elif fate == 4:
        words += ["Kxa1", "Kxh8"]
    return "\n".join(tags) + "\n\n" + " ".join(words) + f" {result}\n"


def encoded(board: chess.Board, move: chess.Move) -> int:
    """The move as the format writes it."""
    to = move.to_square
    if board.is_castling(move):
        to = chess.square(7 if to > move.from_square else 0, chess.square_rank(to))
    promotion = (move.promotion or 1) - 1
    return promotion << 12 | move.from_square << 6 | to


class Count:
    """Wins, draws and losses of each move, and a board for each position."""

    def __init__(self) -> None:
        self.tallies: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
        self.boards: dict[int, chess.Board] = {}

    def add(self, game: chess.pgn.Game) -> bool:
        """Counts a game, unless it is of no use."""
        variant = game.headers.get("Variant", "Standard")
        result = game.headers["Result"]
        if variant != "Standard" or result not in RESULTS:
            return False
        try:
            board = game.board()
        except ValueError:
            return False
        if not board.is_valid():
            return False
        played = set()
        for move in list(game.mainline_moves())[:MAX_PLY]:
            key = chess.polyglot.zobrist_hash(board)
            self.boards.setdefault(key, board.copy(stack=False))
            played.add((key, encoded(board, move), board.turn))
            board.push(move)
        for key, move, turn in played:
            place = 1 if result == "1/2-1/2" else 0 if (result == "1-0") == turn else 2
            self.tallies[key, move][place] += 1
        return True

    def entries(self) -> list[tuple[int, int, int, int]]:
        """What the book must hold."""
        positions = defaultdict(list)
        for (key, move), (wins, draws, losses) in self.tallies.items():
            points, games = 2 * wins + draws, wins + draws + losses
            if games >= MIN_GAMES and points > 0:
                won = math.floor(1000 * wins / games + 0.5)
                drawn = min(math.floor(1000 * draws / games + 0.5), 1000 - won)
                positions[key].append((points, move, 0xB0C << 20 | won << 10 | drawn))
        entries = []
        for key, moves in sorted(positions.items()):
            greatest = max(points for points, _, _ in moves)
            for points, move, results in sorted(moves, key=lambda it: (-it[0], it[1])):
                if greatest > 65535:
                    points = max(1, points * 65535 // greatest)
                entries.append((key, move, points, results))
        return entries


def show(lovec: str, book: pathlib.Path, board: chess.Board) -> dict:
    fen = board.fen(en_passant="legal")
    command = [lovec, "book", "show", str(book), fen, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def check_show(lovec: str, book: pathlib.Path, board: chess.Board, found: list) -> None:
    said = show(lovec, book, board)
    if said["key"] != f"{chess.polyglot.zobrist_hash(board):016x}":
        # A pinned pawn beside a double step, which a FEN does not show.
        assert board.ep_square and not board.has_legal_en_passant(), board.fen()
        return
    moves = [(row["uci"], row["weight"]) for row in said["moves"]]
    assert moves == [(entry.move.uci(), entry.weight) for entry in found], board.fen()
    assert all(row["legal"] for row in said["moves"]), said
    for row in said["moves"]:
        assert board.parse_san(row["san"]).uci() == row["uci"], row
    assert not moves or abs(sum(row["share"] for row in said["moves"]) - 1) < 1e-9, said


def write_games(path: pathlib.Path, games: int) -> None:
    rng = random.Random(1)
    with path.open("w") as file:
        for number in range(games):
            file.write(play(rng, number) + "\n")
        # Of many games, enough of one move that its weight does not fit into an
        # entry.
        for _ in range(4 * games):
            file.write('[Result "1-0"]\n\n1. e4 e5 1-0\n\n')


def build(lovec: str, pgn: pathlib.Path, book: pathlib.Path) -> tuple[int, int]:
    """Builds a book; how many games were read, and how many of them used."""
    settings = ["--max-ply", str(MAX_PLY), "--min-games", str(MIN_GAMES)]
    command = [lovec, "book", "build", str(pgn), "-o", str(book), *settings]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    assert said.stderr == "", said.stderr
    print(said.stdout, flush=True)
    read, used = map(int, re.findall(r"\d+", said.stdout)[:2])
    return read, used


def count_games(pgn: pathlib.Path) -> tuple[Count, int]:
    """Counts the moves; how many games could be used."""
    count, used = Count(), 0
    with pgn.open() as file:
        while game := chess.pgn.read_game(file):
            used += count.add(game)
    return count, used


def check_positions(lovec: str, book: pathlib.Path, count: Count, known: int) -> None:
    """python-chess finds legal moves in every position that has entries."""
    rng = random.Random(2)
    with chess.polyglot.open_reader(book) as reader:
        found_in = 0
        for key, board in count.boards.items():
            found = list(reader.find_all(board))
            assert len(list(reader.find_all(key))) == len(found), board.fen()
            found_in += bool(found)
            if len(found) > 1 and rng.random() < 60 / known:
                check_show(lovec, book, board, found)
        assert found_in == known, (found_in, known)
        for fen in STARTS:
            board = chess.Board(fen)
            check_show(lovec, book, board, list(reader.find_all(board)))


def main() -> None:
    lovec, folder, games = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    pgn, book = folder / "games.pgn", folder / "games.bin"
    chess.pgn.LOGGER.disabled = True
    write_games(pgn, games)
    count, counted = count_games(pgn)
    read, used = build(lovec, pgn, book)
    assert (read, used) == (5 * games, counted), (read, used, counted)

    expected = count.entries()
    with chess.polyglot.open_reader(book) as reader:
        entries = [(e.key, e.raw_move, e.weight, e.learn) for e in reader]
    assert entries == expected, "the book is not what was counted"
    known = len({entry[0] for entry in expected})
    check_positions(lovec, book, count, known)

    castles = sum(is_castling(count.boards[key], raw) for key, raw, _, _ in expected)
    promotions = sum(raw >> 12 > 0 for _, raw, _, _ in expected)
    assert castles and promotions, (castles, promotions)
    print(
        f"{read} games, {len(count.boards)} positions, {len(expected)} entries in {known} "
        f"of them, {castles} for castling, {promotions} for promotions: identical"
    )
    print("everything passed")


def is_castling(board: chess.Board, raw: int) -> bool:
    """Whether an entry has the king take its own rook."""
    return bool(board.kings & board.occupied_co[board.turn] & chess.BB_SQUARES[raw >> 6 & 63]) and (
        board.color_at(raw & 63) == board.turn
    )


if __name__ == "__main__":
    main()
