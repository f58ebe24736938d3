"""Counts positions of Los Alamos chess by itself, and compares with Lovec.

    los_alamos.py LOVEC [DEPTH]

The nodes of minimax are one, the positions after each ply and no more. The generator here shares
nothing with Lovec: a board is a dictionary, and a king is in check if the other side could take
it in its next move.
"""

import json
import subprocess
import sys

RANK = "RNQKNR"
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
KNIGHT = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
RAYS = {"R": (STRAIGHT, 6), "Q": (STRAIGHT + DIAGONAL, 6), "K": (STRAIGHT + DIAGONAL, 1), "N": (KNIGHT, 1)}


def start():
    """Capitals are White's."""
    board = {}
    for x in range(6):
        board[x, 0], board[x, 1] = RANK[x], "P"
        board[x, 5], board[x, 4] = RANK[x].lower(), "p"
    return board


def on_board(square):
    return all(0 <= place < 6 for place in square)


def pseudo_legal(board, is_white):
    """Boards after each move, also of those that leave the king in check."""
    forward, last = (1, 5) if is_white else (-1, 0)
    for (x, y), man in board.items():
        if man.isupper() != is_white:
            continue
        targets = []
        if man.upper() == "P":
            if (x, y + forward) not in board:
                targets.append((x, y + forward))
            for side in (x - 1, x + 1):
                if board.get((side, y + forward), man).isupper() != is_white:
                    targets.append((side, y + forward))
        else:
            directions, reach = RAYS[man.upper()]
            for dx, dy in directions:
                for distance in range(1, reach + 1):
                    target = (x + dx * distance, y + dy * distance)
                    if not on_board(target):
                        break
                    if target not in board:
                        targets.append(target)
                        continue
                    if board[target].isupper() != is_white:
                        targets.append(target)
                    break
        for target in targets:
            promotes = man.upper() == "P" and target[1] == last
            for piece in "QRN" if promotes else man:
                after = {square: other for square, other in board.items() if square != (x, y)}
                after[target] = piece.upper() if is_white else piece.lower()
                yield after


def legal(board, is_white):
    king = "K" if is_white else "k"
    for after in pseudo_legal(board, is_white):
        if all(king in reply.values() for reply in pseudo_legal(after, not is_white)):
            yield after


def perft(board, is_white, depth):
    if depth == 0:
        return 1
    return sum(perft(after, not is_white, depth - 1) for after in legal(board, is_white))


def main():
    lovec, depth = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    command = [lovec, "lab", "compare", "--json", "--game", "los-alamos", "--algo", "minimax"]
    output = subprocess.run(command + ["--depth", f"1..{depth}"], stdout=subprocess.PIPE, check=True)
    theirs = [row["nodes"] for row in json.loads(output.stdout)["rows"]]
    counts = [perft(start(), True, plies) for plies in range(depth + 1)]
    own = [sum(counts[: plies + 1]) for plies in range(1, depth + 1)]
    if own != theirs:
        sys.exit(f"{own} here, {theirs} of Lovec")
    print("everything passed")


main()
