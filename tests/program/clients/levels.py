"""Measures the levels of UCI_Elo of the engine named on the command line.

    levels.py ENGINE mates [GAMES]                     wins of K+R and K+Q, and mates in one
    levels.py ENGINE match GAMES LEVEL[,LEVEL...]      each level against the next
    levels.py ENGINE match GAMES LEVEL[,LEVEL...] OLD  each level against the same one of OLD

Wins are counted under the rules, from random positions in which the side with the
piece moves, against the same engine at full strength with its own tables. All positions
and openings are random with a fixed seed; the picks of a level are not.
"""

import math
import random
import sys

import chess
import chess.engine
from chess.engine import Limit, SimpleEngine

LEVELS = [1000, 1200, 1400, 1800, 2200, 2600]
MATE_IN_ONE = "k7/7R/1K6/8/8/8/8/8 w - - 0 1"
# No level uses its time; it searches a number of nodes.
LIMIT = Limit(time=60)
DEFENCE = Limit(nodes=2000)


def limited(path: str, level: int) -> SimpleEngine:
    engine = SimpleEngine.popen_uci(path)
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": level})
    return engine


def random_ending(piece: str, rng: random.Random) -> chess.Board:
    """White to move, the piece not lost at once, and not already mate."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), 3)
        for square, symbol in zip(squares, ["K", piece, "k"]):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if board.is_valid():
            return board


def is_won(board: chess.Board, attacker: SimpleEngine, defender: SimpleEngine) -> bool:
    while not board.is_game_over(claim_draw=True):
        white = board.turn == chess.WHITE
        board.push((attacker if white else defender).play(board, LIMIT if white else DEFENCE).move)
    return board.is_checkmate()


def mates(path: str, games: int) -> None:
    print("| level | K+R won | K+Q won | mate in one played |\n|---|---|---|---|")
    for level in LEVELS:
        with limited(path, level) as attacker, SimpleEngine.popen_uci(path) as defender:
            won = {}
            for piece in "RQ":
                rng = random.Random(1)
                boards = [random_ending(piece, rng) for _ in range(games)]
                won[piece] = sum(is_won(board, attacker, defender) for board in boards)
            mated = 0
            for number in range(games):
                board = chess.Board(MATE_IN_ONE)
                board.push(attacker.play(board, LIMIT, game=number).move)
                mated += board.is_checkmate()
        print(f"| {level} | {won['R']} | {won['Q']} | {mated} |", flush=True)


def random_opening(rng: random.Random) -> chess.Board:
    while True:
        board = chess.Board()
        for _ in range(6):
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return board


def score(opening: chess.Board, white: SimpleEngine, black: SimpleEngine) -> float:
    board = opening.copy()
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 400:
        player = white if board.turn == chess.WHITE else black
        board.push(player.play(board, LIMIT, game=game).move)
    outcome = board.outcome(claim_draw=True)
    return 0.5 if outcome is None or outcome.winner is None else float(outcome.winner)


def play_match(games: int, first: SimpleEngine, second: SimpleEngine) -> list[float]:
    """The scores of the first, two games from each opening."""
    rng = random.Random(2)
    scores = []
    for _ in range(games // 2):
        opening = random_opening(rng)
        scores.append(score(opening, first, second))
        scores.append(1 - score(opening, second, first))
    return scores


def elo(scores: list[float]) -> str:
    count, mean = len(scores), sum(scores) / len(scores)
    if not 0 < mean < 1:
        return "no finite difference"
    variance = sum((it - mean) ** 2 for it in scores) / count
    difference = -400 * math.log10(1 / mean - 1)
    margin = 1.96 * math.sqrt(variance / count) * 400 / (math.log(10) * mean * (1 - mean))
    return f"{difference:+.0f} ± {margin:.0f}"


def matches(path: str, games: int, levels: list[int], old: str | None) -> None:
    pairs = [(level, level) for level in levels] if old else list(zip(levels[1:], levels))
    for level, other in pairs:
        with limited(path, level) as first, limited(old or path, other) as second:
            scores = play_match(games, first, second)
        name = f"{other} of {old}" if old else str(other)
        print(f"{level} against {name}: {sum(scores)} of {len(scores)}, {elo(scores)}", flush=True)


def main() -> None:
    match sys.argv[1:]:
        case [path, "mates", *games]:
            mates(path, int(games[0]) if games else 100)
        case [path, "match", games, levels, *old]:
            matches(path, int(games), [int(it) for it in levels.split(",")], *old or [None])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
