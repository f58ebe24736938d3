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
        try:
            game = chess.pgn.read_game(file)
            plies = sum(1 for _ in game.mainline_moves())
        # A bracket that closes nothing, after a word that it cannot read.
        except IndexError:
            plies = 0
    print(path.name, plies)
