"""Counts the terms of the evaluations of theses, and the attacks on each square, with
python-chess, and compares with Lovec.

    theses.py LOVEC SOURCE [POSITIONS]

SOURCE is src/lab/game/croatian.rs, from which the piece-square tables are read.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import chess
from chess import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

PIECES = (KNIGHT, BISHOP, ROOK, QUEEN)


def relative(rank, color):
    return rank if color else 7 - rank


class Side:
    """A side of a board, as the terms count it."""

    def __init__(self, board, color):
        self.board, self.color = board, color
        self.king = board.king(color)

    def all(self, kind, own=True):
        return self.board.pieces(kind, self.color == own)

    def lead(self, kind):
        return len(self.all(kind)) - len(self.all(kind, False))

    def rank(self, square):
        return relative(chess.square_rank(square), self.color)

    def mobility(self, kinds=PIECES, on=lambda origin, square: True):
        return sum(
            self.board.color_at(square) != self.color and on(origin, square)
            for kind in kinds
            for origin in self.all(kind)
            for square in self.board.attacks(origin)
        )

    def file_rooks(self):
        """The rooks on files without own pawns, and without any."""
        files = lambda own: {chess.square_file(square) for square in self.all(PAWN, own)}
        rooks = [chess.square_file(square) for square in self.all(ROOK)]
        half = [file for file in rooks if file not in files(True)]
        return len(half), len([file for file in half if file not in files(False)])

    def passed(self):
        def in_front(pawn, square, width):
            near = abs(chess.square_file(pawn) - chess.square_file(square)) <= width
            return near and self.rank(square) > self.rank(pawn)

        return [
            pawn
            for pawn in self.all(PAWN)
            if not any(in_front(pawn, square, 1) for square in self.all(PAWN, False))
            and not any(in_front(pawn, square, 0) for square in self.all(PAWN))
        ]

    def is_placed(self):
        return self.rank(self.king) == 0 and self.king % 8 in (0, 1, 2, 6, 7)


def czech(side):
    board, color, pawns = side.board, side.color, side.all(PAWN)
    weights = (0, 0, 1, 1, 2, 4, 0)
    opening = min(24, sum(weights[man.piece_type] for man in board.piece_map().values())) / 24
    men = [(square, man) for square, man in board.piece_map().items()]
    own = [(square, man.piece_type) for square, man in men if man.color == color]
    theirs = [(square, man.piece_type) for square, man in men if man.color != color]
    is_hit = lambda square: board.is_attacked_by(color, square)
    beside = lambda pawn, others: any(abs(pawn % 8 - other % 8) == 1 for other in others)
    behind = lambda pawn: sum(
        pawn % 8 == other % 8 and side.rank(other) < side.rank(pawn) for other in pawns
    )
    fork = lambda square, kind: 2 <= sum(
        other in board.attacks(square) and victim > kind for other, victim in theirs
    )
    half, full = side.file_rooks()
    seventh = sum(side.rank(square) == 6 for square in side.all(ROOK))
    is_central = side.rank(side.king) >= 2 and 2 <= side.king % 8 <= 5
    before = [p for p in pawns if chess.square_distance(p, side.king) == 1
              and side.rank(p) > side.rank(side.king)]
    home = {(1, KNIGHT), (6, KNIGHT), (2, BISHOP), (5, BISHOP)}
    undeveloped = sum((square ^ (0 if color else 56), kind) in home for square, kind in own)
    queen_left = any(square != (3 if color else 59) for square in side.all(QUEEN))
    passed = side.passed()
    return {
        "material": sum((0, 130, 300, 300, 500, 900, 0)[kind] for _, kind in own),
        "bishop pair": 50 * (len(side.all(BISHOP)) == 2),
        "queen against rooks": 50 * (side.lead(QUEEN) == 1 and side.lead(ROOK) == -2),
        "minors against queen": 40 * (
            side.lead(KNIGHT) + side.lead(BISHOP) == 3 and side.lead(QUEEN) == -1
        ),
        "mobility": side.mobility(),
        "forward moves": side.mobility(
            (BISHOP, ROOK), lambda origin, square: side.rank(square) > side.rank(origin)
        ),
        "vertical moves": side.mobility((ROOK,), lambda origin, square: origin % 8 == square % 8),
        "inactive bishop": -30 * sum(
            len([to for to in board.attacks(square) if board.color_at(to) != color]) < 3
            for square in side.all(BISHOP)
        ),
        "defended men": sum((0, 3, 3, 3, 2, 1, 0)[kind] for square, kind in own if is_hit(square)),
        "attacked men": sum(
            (0, 2, 4, 4, 6, 8, 10)[kind] for square, kind in theirs if is_hit(square)
        ),
        "fork": 100 * sum(fork(square, kind) for square, kind in own),
        "centre": 5 * sum(
            board.color_at(square) == color or is_hit(square)
            for square in (chess.D4, chess.E4, chess.D5, chess.E5)
        ),
        "advance of pawns": 2 * sum(side.rank(pawn) - 1 for pawn in pawns),
        "passed pawn": 17 * len(passed),
        "connected passed pawn": 25 * sum(beside(pawn, passed) for pawn in passed),
        "doubled pawn": -10 * sum(behind(pawn) >= 1 for pawn in pawns),
        "tripled pawn": -10 * sum(behind(pawn) >= 2 for pawn in pawns),
        "isolated pawn": -10 * sum(not beside(pawn, pawns) for pawn in pawns),
        "edge pawn": -15 * sum(pawn % 8 in (0, 7) for pawn in pawns),
        "knight with few pawns": -20 * len(side.all(KNIGHT))
        * (len(pawns) + len(side.all(PAWN, False)) <= 8),
        "rook in the opening": -50 * len(side.all(ROOK)) * opening,
        "rook in the ending": 25 * len(side.all(ROOK)) * (1 - opening),
        "second rook": -25 * (len(side.all(ROOK)) == 2),
        "rook on an open file": 30 * full,
        "rook on a half-open file": 15 * (half - full),
        "rook on the seventh": 30 * seventh,
        "two rooks on the seventh": 30 * (seventh > 1),
        "placed king": 50 * side.is_placed() * opening,
        "king in the centre": -200 * is_central * opening,
        "shield of the king": 40 * (len(before) >= 2) * opening,
        "castling lost": -30 * opening
        * (not side.is_placed() and not board.has_castling_rights(color)),
        "early queen": -100 * (queen_left and undeveloped >= 2) * opening,
        "undeveloped minors": -25 * undeveloped * opening,
    }


def croatian(side, tables):
    board = side.board
    men = [(sq, man.piece_type) for sq, man in board.piece_map().items() if man.color == side.color]
    index = lambda square: square ^ (56 if side.color else 0)
    return {
        "material": sum((0, 100, 280, 320, 480, 930, 0)[kind] for _, kind in men),
        "piece-square tables": sum(tables[kind - 1][index(square)] for square, kind in men),
        "defence of the king": 20 * sum(chess.square_distance(sq, side.king) == 1 for sq, _ in men),
        "rook on an open file": 20 * side.file_rooks()[1],
        "mobility": side.mobility(),
    }


def check_terms(lovec, board, thesis, terms, factor=1):
    """The terms of White and Black, and the value, as Lovec prints them."""
    lines = lovec(board, "--thesis", thesis).splitlines()[1:]
    sides = [terms(Side(board, color)) for color in chess.COLORS]
    assert len(lines) == len(sides[0]) + 1, lines
    for line in lines[:-1]:
        name, *numbers = re.split(r"\s{2,}", line)
        for number, side in zip(map(float, numbers), sides):
            assert abs(number - side[name]) < 0.06, (board.fen(), line, side[name])
    total = factor * (sum(sides[0].values()) - sum(sides[1].values()))
    assert abs(int(lines[-1].split()[-1]) - total) < 1, (board.fen(), thesis, lines[-1], total)


def check_map(lovec, board):
    lines = lovec(board, "--map").splitlines()
    for rank, line in zip(range(7, -1, -1), lines):
        cells = re.findall(r"(\S) (\d+)/(\d+)", line)
        assert len(cells) == 8, line
        for file, cell in enumerate(cells):
            square = chess.square(file, rank)
            man = board.piece_at(square)
            counts = [str(len(board.attackers(color, square))) for color in chess.COLORS]
            assert cell == (man.symbol() if man else ".", *counts), (board.fen(), square, cell)
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "map.svg")
        lovec(board, "--map", "--svg", picture)
        texts = ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")
        numbers = [text.text for text in texts if text.get("class") == "numbers"]
    attackers = lambda square: [len(board.attackers(color, square)) for color in chess.COLORS]
    assert numbers == ["{}/{}".format(*attackers(square)) for square in chess.SQUARES], board.fen()


def main():
    program, source = sys.argv[1:3]
    positions = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    text = open(source).read().split("const SQUARES", 1)[1].split("= [", 1)[1].split("];")[0]
    numbers = [int(number) for number in re.findall(r"-?\d+", text)]
    tables = [numbers[start : start + 64] for start in range(0, 384, 64)]
    assert len(numbers) == 384

    def lovec(board, *arguments):
        command = [program, "eval", board.fen(en_passant="fen"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    rng = random.Random(5)
    for _ in range(positions):
        board = chess.Board()
        for _ in range(rng.randint(0, 120)):
            moves = list(board.legal_moves)
            captures = [move for move in moves if board.is_capture(move)]
            if not moves:
                break
            board.push(rng.choice(captures if captures and rng.random() < 0.3 else moves))
        check_terms(lovec, board, "czech", czech)
        check_terms(lovec, board, "croatian", lambda side: croatian(side, tables), 0.9)
        check_map(lovec, board)
    print("everything passed")


main()
