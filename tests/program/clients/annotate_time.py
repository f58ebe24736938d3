"""Compares the time of `lovec annotate` with the time of its searches alone.

    annotate_time.py LOVEC GAMES.pgn [--nodes N]

Annotates the games, and searches each of their positions over UCI with the same nodes and
empty tables. Prints the processor time of both, which does not depend on what else runs, and
ends with status 1 if annotating takes more than twice as long.
"""

import argparse
import resource
import subprocess
import sys
import tempfile

import chess.engine
import chess.pgn

FACTOR = 2


def processor_time(run):
    """The seconds that the processes started by `run` use."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def search(lovec, path, nodes):
    """Searches all positions of the games in which a move is possible."""
    engine = chess.engine.SimpleEngine.popen_uci(lovec)
    with open(path) as file:
        while game := chess.pgn.read_game(file):
            for node in [game, *game.mainline()]:
                if not node.board().is_game_over():
                    limit = chess.engine.Limit(nodes=nodes)
                    engine.play(node.board(), limit, game=object())
    engine.quit()


def annotate(lovec, path, nodes):
    with tempfile.TemporaryDirectory() as folder:
        command = [lovec, "annotate", path, "-o", f"{folder}/out.pgn", "--nodes", str(nodes)]
        subprocess.run(command, check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lovec")
    parser.add_argument("games")
    parser.add_argument("--nodes", type=int, default=200_000)
    args = parser.parse_args()
    times = [
        processor_time(lambda: run(args.lovec, args.games, args.nodes))
        for run in (search, annotate)
    ]
    print(f"searches {times[0]:.1f} s, annotate {times[1]:.1f} s, ratio {times[1] / times[0]:.2f}")
    sys.exit(times[1] > FACTOR * times[0])


main()
