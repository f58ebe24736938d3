"""The plies that python-chess reads of each game in PGN of a folder.

usage: games_in_pgn.py FOLDER
"""

import logging
import pathlib
import sys

import chess.pgn

logging.disable()
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.pgn")):
    with open(path, encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    print(path.name, sum(1 for _ in game.mainline_moves()))
