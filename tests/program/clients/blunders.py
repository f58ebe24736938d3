"""Asks Stockfish about the moves that `lovec annotate` marks ??.

    blunders.py LOVEC STOCKFISH [--games N] [--nodes N] [--marks N] [--seed N] [--folder DIR]

Players of UCI_Elo 1000 to 1700 play games from random moves. Lovec annotates them at --nodes
a position, and Stockfish searches the position before each move marked ?? twice, with all
moves and with the marked one alone, at ten times the nodes. A mark is confirmed if the move
loses at least 20 points of Stockfish's own expected score (UCI_ShowWDL), the bound of a
blunder; the share is printed for bounds of 15 and 10 points too. What exists in the folder is
used again. Ends with status 1 if fewer than 90 % are confirmed.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

import chess
import chess.engine
import chess.pgn

ELO = (1000, 1700)
FACTOR = 10
POINTS = [20, 15, 10]
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


def expected(engine, board, nodes, move=None):
    """Stockfish's expected score of the side to move, from 0 to 1."""
    moves = [move] if move else None
    info = engine.analyse(
        board, chess.engine.Limit(nodes=nodes), root_moves=moves, game=object()
    )
    return info["wdl"].pov(board.turn).expectation(), info["score"].pov(board.turn)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lovec")
    parser.add_argument("stockfish")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--marks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
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
    engine = chess.engine.SimpleEngine.popen_uci(args.stockfish)
    engine.configure({"UCI_ShowWDL": True, "Hash": 64})
    print(engine.id["name"])
    losses = []
    for number, move in marks:
        board = chess.Board(move["fen"])
        played = board.parse_san(move["san"])
        best, best_score = expected(engine, board, FACTOR * args.nodes)
        other, score = expected(engine, board, FACTOR * args.nodes, played)
        losses.append(best - other)
        if best - other < POINTS[0] / 100:
            scores = f"{best_score} to {score}, {100 * (best - other):.0f} points"
            print(f"game {number}: {move['fen']} {move['san']}: {scores}", flush=True)
    engine.quit()
    for points in POINTS:
        confirmed = sum(loss >= points / 100 for loss in losses)
        share = confirmed / len(losses)
        print(f"{points} points: {confirmed} of {len(losses)}, {100 * share:.1f} %")
    sys.exit(sum(loss >= POINTS[0] / 100 for loss in losses) < BAR * len(losses))


main()
