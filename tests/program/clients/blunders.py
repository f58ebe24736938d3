"""Asks Stockfish about the moves that `lovec annotate` marks ??.

    blunders.py LOVEC STOCKFISH [--games N] [--nodes N] [--marks N] [--seed N] [--jobs N]
                [--folder DIR]

Players of UCI_Elo 1000 to 1700 play games from random moves. Lovec annotates them at --nodes
a position, and Stockfish searches the position before each move marked ?? twice, with all
moves and with the marked one alone, at ten times the nodes. The loss is measured in points
of 100 in two ways: by Stockfish's own expected score (UCI_ShowWDL), which is almost a step
between won and lost, and by its centipawns and the curve that Lichess publishes for human
games. A mark is confirmed if the move loses at least 15 points in either way; the shares
are printed for other bounds too. Games and annotations that the folder has are used again.
Ends with status 1 if fewer than 90 % are confirmed.
"""

import argparse
import json
import math
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import chess.engine
import chess.pgn

ELO = (1000, 1700)
FACTOR = 10
POINTS = [20, 15, 10]
CONFIRMED = 15
BAR = 0.90


def play(binary, games, seed, path):
    """Writes games of weak players."""
    source = random.Random(seed)
    engine = chess.engine.SimpleEngine.popen_uci(binary)
    engine.configure({"UCI_LimitStrength": True, "Hash": 4})
    with open(path, "w") as file:
        for number in range(games):
            board = chess.Board()
            for _ in range(source.randrange(2, 7)):
                board.push(source.choice(list(board.legal_moves)))
            elo = [source.randint(*ELO) for _ in range(2)]
            while not board.is_game_over(claim_draw=True) and board.ply() < 160:
                engine.configure({"UCI_Elo": elo[board.ply() % 2]})
                limit = chess.engine.Limit(time=0.02)
                board.push(engine.play(board, limit, game=number).move)
            game = chess.pgn.Game.from_board(board)
            for side, points in zip(["White", "Black"], elo):
                game.headers[side] = f"UCI_Elo {points}"
            game.headers["Round"] = str(number + 1)
            print(game, end="\n\n", file=file, flush=True)
    engine.quit()


def marked(report):
    """The positions before the moves that are marked ??, and the moves."""
    for game in report["games"]:
        for move in game["moves"]:
            if move["mark"] == "blunder":
                yield game["number"], move


def curve(centipawns):
    """The expected score of a person with this advantage, by lichess.org/page/accuracy."""
    return 1 / (1 + math.exp(-0.00368208 * centipawns))


def values(engine, board, nodes, move=None):
    """The expected scores of the side to move, from 0 to 1, and Stockfish's score."""
    limit, moves = chess.engine.Limit(nodes=nodes), [move] if move else None
    info = engine.analyse(board, limit, root_moves=moves, game=object())
    score = info["score"].pov(board.turn)
    wdl = info["wdl"].pov(board.turn).expectation()
    return wdl, curve(score.score(mate_score=10_000)), score


def losses(engine, nodes, number, move):
    """The points that a move loses by Stockfish's expected score and by its centipawns."""
    board = chess.Board(move["fen"])
    best = values(engine, board, nodes)
    played = values(engine, board, nodes, board.parse_san(move["san"]))
    lost = tuple(100 * (left - right) for left, right in zip(best[:2], played[:2]))
    text = f"{lost[0]:.0f} and {lost[1]:.0f} points, {best[2]} to {played[2]}"
    print(f"game {number}: {move['fen']} {move['san']}: {text}", flush=True)
    return lost


def judge(stockfish, nodes, marks):
    """Asks one Stockfish about some marks."""
    engine = chess.engine.SimpleEngine.popen_uci(stockfish)
    engine.configure({"UCI_ShowWDL": True, "Hash": 64})
    found = [losses(engine, nodes, number, move) for number, move in marks]
    engine.quit()
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lovec")
    parser.add_argument("stockfish")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--marks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path("."))
    args = parser.parse_args()
    games, report = args.folder / "weak.pgn", args.folder / "weak.json"
    if not games.exists():
        play(args.lovec, args.games, args.seed, games)
    if not report.exists():
        output = args.folder / "weak-annotated.pgn"
        command = [args.lovec, "annotate", games, "-o", output, "--json", report]
        subprocess.run([*command, "--nodes", str(args.nodes)], check=True)
    marks = list(marked(json.loads(report.read_text())))
    random.Random(args.seed).shuffle(marks)
    marks = marks[: args.marks]
    with ThreadPoolExecutor(args.jobs) as pool:
        shares = [marks[job :: args.jobs] for job in range(args.jobs)]
        run = lambda share: judge(args.stockfish, FACTOR * args.nodes, share)
        found = [lost for share in pool.map(run, shares) for lost in share]
    for points in POINTS:
        counts = [sum(lost[way] >= points for lost in found) for way in range(2)]
        either = sum(max(lost) >= points for lost in found)
        print(f"{points} points: {counts[0]} and {counts[1]}, either {either} of {len(found)}")
    sys.exit(sum(max(lost) >= CONFIRMED for lost in found) < BAR * len(found))


main()
