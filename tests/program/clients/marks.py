"""Asks Stockfish about the marks of `lovec annotate`.

    marks.py LOVEC STOCKFISH GAMES.pgn [--nodes N] [--folder DIR]

Annotates the games with the defaults. Stockfish searches each position of them with --nodes,
and where its best move was played also the other moves, with half of these. A move loses the
difference of the winning chances, in points of 100 by the curve of Lichess for games of people,
a mate counting as ten pawns. An inaccuracy should lose at least 5 points, a mistake 10, a
blunder 15, and the second best move 15 where the move played is marked as the only good one.
Prints how many do, how many of the moves that lose so much are marked, and how many faults have
a reason.

Stockfish's answers are kept in the folder, line by line, and used again.
"""

import argparse
import json
import math
import subprocess
from collections import Counter
from pathlib import Path

import chess
import chess.engine
import chess.pgn

LEAST = {"inaccuracy": 5, "mistake": 10, "blunder": 15}
ONLY = 15
MOST_CENTIPAWNS = 1000
SLOPE = 0.00368208


def games_of(path):
    with open(path) as file:
        while game := chess.pgn.read_game(file):
            yield game


def chances(score):
    """The winning chances by centipawns, in points of 100."""
    cp = max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, score))
    return 100 / (1 + math.exp(-SLOPE * cp))


def asked(engine, board, nodes, moves=None):
    """The score for the side to move, and the best move."""
    if board.is_checkmate():
        return -MOST_CENTIPAWNS, None
    if board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100:
        return 0, None
    info = engine.analyse(board, chess.engine.Limit(nodes=nodes), root_moves=moves)
    return info["score"].relative.score(mate_score=MOST_CENTIPAWNS), info["pv"][0]


def judged(engine, game, nodes):
    """The loss of each move, and how much worse the second best move is."""
    board, plies, previous = game.board(), [], None
    engine.configure({"Clear Hash": None})
    for move in [*game.mainline_moves(), None]:
        score, best = asked(engine, board, nodes)
        if previous:
            before, was_best = previous
            after = chances(-score)
            plies[-1]["loss"] = 0 if was_best else max(0, chances(before) - after)
        if move is None or best is None:
            break
        plies.append({"loss": 0, "gap": 0})
        if move == best:
            others = [other for other in board.legal_moves if other != best]
            second = asked(engine, board, nodes // 2, others)[0] if others else -MOST_CENTIPAWNS
            plies[-1]["gap"] = chances(score) - chances(second)
        previous = score, move == best
        board.push(move)
    return plies


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lovec")
    parser.add_argument("stockfish")
    parser.add_argument("games")
    parser.add_argument("--nodes", type=int, default=2_000_000)
    parser.add_argument("--folder", type=Path, default=Path("."))
    args = parser.parse_args()
    report = args.folder / "marks.json"
    command = [args.lovec, "annotate", args.games, "-o", args.folder / "marks.pgn", "--force"]
    subprocess.run([*command, "--json", report], check=True)
    answers = args.folder / f"stockfish-{args.nodes}.jsonl"
    known = answers.read_text().splitlines() if answers.exists() else []
    marks, right, reasons, lost, found = (Counter() for _ in range(5))
    annotated = json.loads(report.read_text())["games"]
    with chess.engine.SimpleEngine.popen_uci(args.stockfish) as engine, open(answers, "a") as file:
        for number, (game, told) in enumerate(zip(games_of(args.games), annotated, strict=True)):
            if number < len(known):
                plies = json.loads(known[number])
            else:
                plies = judged(engine, game, args.nodes)
                print(json.dumps(plies), file=file, flush=True)
            for ply, move in zip(plies, told["moves"]):
                mark, loss = move["mark"], ply["loss"]
                for name, least in LEAST.items():
                    lost[name] += loss >= least
                    found[name] += loss >= least and mark in LEAST
                if mark in LEAST:
                    marks[mark] += 1
                    right[mark] += loss >= LEAST[mark]
                    said = [text for text in move["explanation"] if not text.startswith("Best was")]
                    reasons[mark] += bool(said)
                elif mark in ("only_move", "sacrifice"):
                    marks["only"] += 1
                    right["only"] += ply["gap"] >= ONLY
    for name, least in LEAST.items():
        print(
            f"{name}: {right[name]} of {marks[name]} lose {least} points, {reasons[name]} have a "
            f"reason; of {lost[name]} moves that lose so much {found[name]} are marked"
        )
    print(f"only good move: {right['only']} of {marks['only']}")


main()
