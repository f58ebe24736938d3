"""Derives every claim of `lovec explain --json` again, with python-chess.

    explanations.py LOVEC COUNT [--seed N] [--nodes N] [--jobs N] [--pgn FILE]

Explains COUNT moves of random games, or of the games of a PGN file, and checks each claim on
a board: captures, material, mates, draws, motifs, threats and sums. Prints what is false, and
ends with status 1 if anything is.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.pgn

POINTS = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
KINDS = {chess.piece_name(kind): kind for kind in chess.PIECE_TYPES}


class False_(Exception):
    """A claim that does not hold."""


def ensure(holds, what):
    if not holds:
        raise False_(what)


def color_of(text):
    return chess.WHITE if text == "white" else chess.BLACK


def square_of(text):
    return chess.parse_square(text)


class Line:
    """The boards before and after each move of a line."""

    def __init__(self, start, moves):
        board = start.copy()
        self.boards, self.moves = [board.copy()], []
        for text in moves:
            move = board.parse_uci(text)
            self.moves.append(move)
            board.push(move)
            self.boards.append(board.copy())

    def captured(self, ply):
        """The square and the piece that the move takes, or None."""
        board, move = self.boards[ply], self.moves[ply]
        if not board.is_capture(move):
            return None
        square = move.to_square
        if board.is_en_passant(move):
            square += -8 if board.turn == chess.WHITE else 8
        return square, board.piece_at(square)


def balance(line, side, plies):
    """What a side loses, gains, promotes and allows in the first plies."""
    lists = {"lost": Counter(), "gained": Counter(), "promoted": Counter(), "allowed": Counter()}
    promoted = {}
    for ply in range(plies):
        move, mover = line.moves[ply], line.boards[ply].turn
        taken = line.captured(ply)
        if taken:
            square, piece = taken
            kind = piece.piece_type
            if promoted.pop(square, None):
                kind = chess.PAWN
            lists["lost" if piece.color == side else "gained"][kind] += 1
        if move.from_square in promoted:
            promoted[move.to_square] = promoted.pop(move.from_square)
        if move.promotion:
            promoted[move.to_square] = (mover, move.promotion)
    for mover, kind in promoted.values():
        lists["promoted" if mover == side else "allowed"][kind] += 1
    lost, gained = lists["lost"], lists["gained"]
    for left, right in [(kind, kind) for kind in POINTS] + [
        (chess.KNIGHT, chess.BISHOP),
        (chess.BISHOP, chess.KNIGHT),
    ]:
        pairs = min(lost[left], gained[right])
        lost[left] -= pairs
        gained[right] -= pairs
    return {name: +kinds for name, kinds in lists.items()}


def points(lists):
    def total(name, less=0):
        return sum((POINTS[kind] - less) * count for kind, count in lists[name].items())

    return total("gained") - total("lost") + total("promoted", 1) - total("allowed", 1)


def check_balance(line, side, claim):
    found = balance(line, side, claim["plies"])
    for name in found:
        named = Counter(KINDS[piece] for piece in claim["balance"][name])
        ensure(found[name] == named, f"{name}: {found[name]} and not {named}")
    whole = points(balance(line, side, len(line.moves)))
    ensure(points(found) == whole, f"points change to {whole} later in the line")
    return points(found)


def attackers(board, color, square):
    return board.attackers(color, square)


def check_motif(line, claim):
    ply, by = claim["ply"], square_of(claim["by"])
    targets = [square_of(target) for target in claim["targets"]]
    before, move, after = line.boards[ply], line.moves[ply], line.boards[ply + 1]
    side = before.turn
    kind = claim["motif"]

    def next_move():
        ensure(len(line.moves) > ply + 2, "the line ends before the motif collects")
        return line.moves[ply + 2]

    if kind == "fork":
        ensure(by == move.to_square, "the forking piece did not move")
        ensure(len(set(targets)) >= 2, "fewer than two targets")
        for target in targets:
            ensure(after.color_at(target) == (not side), "no piece to fork")
            ensure(target in after.attacks(by), "the target is not attacked")
        ensure(next_move().to_square in targets, "no target is taken")
    elif kind == "pin":
        (target,) = targets
        ensure(after.color_at(target) == (not side), "no pinned piece")
        ensure(after.is_pinned(not side, target), "not pinned")
        ensure(by in after.pin(not side, target), "pinned by another piece")
    elif kind == "skewer":
        front, back = targets
        ensure(front in after.attacks(by), "the front piece is not attacked")
        ensure(back in chess.SquareSet.ray(by, front), "not on one line")
        ensure(front in chess.SquareSet.between(by, back), "in the wrong order")
        ensure(line.moves[ply + 1].from_square == front, "the front piece stays")
        ensure(next_move().to_square == back, "the back piece is not taken")
        ensure(
            after.piece_type_at(front) == chess.KING
            or POINTS[after.piece_type_at(front)] > POINTS[after.piece_type_at(back)],
            "the back piece is not worth less",
        )
    elif kind == "discovered_attack":
        (target,) = targets
        ensure(target not in before.attacks(by), "attacked before")
        ensure(target in after.attacks(by), "not attacked")
        ensure(next_move().from_square == by, "another piece takes")
        ensure(next_move().to_square == target, "the target is not taken")
    elif kind == "discovered_check":
        ensure(by != move.to_square, "the moved piece checks")
        ensure(by in after.checkers(), "no check by this piece")
    elif kind == "double_check":
        ensure(len(after.checkers()) == 2, "no double check")
    elif kind == "deflection":
        (defender,) = targets
        earlier, answer = line.boards[ply - 1], line.moves[ply - 1]
        ensure(answer.to_square == defender, "another piece left")
        ensure(by == move.to_square, "another square")
        ensure(by in earlier.attacks(answer.from_square), "it did not guard the square")
        ensure(by not in before.attacks(defender), "it still guards the square")
    elif kind == "attraction":
        (lure,) = targets
        ensure(move.to_square == lure, "no lure")
        ensure(line.moves[ply + 1].to_square == lure, "the lure is not taken")
        next_move()
        ensure(lure in line.boards[ply + 3].attacks(by), "not attacked after that")
    elif kind == "x_ray":
        (through,) = targets
        moves = line.moves[ply - 2 : ply + 1]
        ensure(len({m.to_square for m in moves}) == 1, "not on one square")
        ensure(moves[1].from_square == through, "through another square")
        ensure(through in chess.SquareSet.between(move.from_square, by), "not through it")
    elif kind == "back_rank_mate":
        king = after.king(not side)
        ensure(after.is_checkmate(), "no mate")
        ensure(chess.square_rank(king) == (0 if side == chess.BLACK else 7), "not on the rank")
        ensure(chess.square_rank(by) == chess.square_rank(king), "not along the rank")
        ensure(by in after.checkers(), "another piece mates")
    elif kind == "smothered_mate":
        king = after.king(not side)
        ensure(after.is_checkmate(), "no mate")
        ensure(after.piece_type_at(by) == chess.KNIGHT, "no knight")
        around = chess.SquareSet(chess.BB_KING_ATTACKS[king])
        ensure(all(after.color_at(square) == (not side) for square in around), "not smothered")
    elif kind == "promotion":
        ensure(move.promotion is not None, "no promotion")
    else:
        ensure(False, f"a motif that is not to be named: {kind}")


def check_defence(position, threat, move, how):
    first = threat.moves[0]
    start, target = first.from_square, first.to_square
    after = position.copy()
    after.push(move)
    if how == "captures":
        ensure(move.to_square == start and position.is_capture(move), "it does not capture")
    elif how == "moves_away":
        ensure(move.from_square == target, "another piece moves")
    elif how == "blocks":
        ensure(move.to_square in chess.SquareSet.between(start, target), "it does not block")
    elif how == "defends":
        ensure(after.color_at(target) == position.turn, "nothing to defend")
        ensure(target in after.attacks(move.to_square), "it does not defend")


def check_claim(data, lines, claim):
    position = lines["best"].boards[0]
    line = lines[claim["line"]]
    kind = claim["kind"]
    if kind == "forced":
        ensure(position.legal_moves.count() == 1, "other moves are legal")
    elif kind == "mates":
        by, end = color_of(claim["by"]), line.boards[-1]
        ensure(end.is_checkmate() and end.turn != by, "the line does not mate")
        moves = sum(board.turn == by for board in line.boards[:-1])
        ensure(moves == claim["moves"], f"mate after {moves} moves")
    elif kind == "draws":
        board = line.boards[claim["ply"] + 1]
        rules = {
            "stalemate": board.is_stalemate,
            "repetition": lambda: board.is_repetition(3),
            "fifty_moves": lambda: board.halfmove_clock >= 100,
            "insufficient_material": board.is_insufficient_material,
        }
        ensure(rules[claim["how"]](), f"no {claim['how']}")
    elif kind == "material":
        found = check_balance(line, color_of(claim["side"]), claim)
        ensure(found == claim["points"], f"{found} points")
    elif kind == "falls":
        ply, board = claim["ply"], line.boards[claim["ply"]]
        square, piece = line.captured(ply)
        ensure(square == square_of(claim["square"]), "another square")
        ensure(piece.color == color_of(claim["color"]), "another side")
        ensure(piece.piece_type == KINDS[claim["piece"]], "another piece")
        start = line.moves[ply].from_square
        ensure(start == square_of(claim["from"]), "from another square")
        ensure(board.piece_type_at(start) == KINDS[claim["by"]], "by another piece")
        after, target = line.boards[ply + 1], line.moves[ply].to_square
        retakes = any(
            move.to_square == target and after.is_capture(move) for move in after.legal_moves
        )
        ensure(claim["undefended"] != retakes, "defended or not")
    elif kind == "motif":
        check_motif(line, claim)
    elif kind == "promotes":
        move = line.moves[claim["ply"]]
        ensure(move.promotion == KINDS[claim["piece"]], "another promotion")
        ensure(move.to_square == square_of(claim["square"]), "another square")
        mover = line.boards[claim["ply"]].turn
        ensure(mover == color_of(claim["color"]), "another side")
    elif kind == "threatens":
        start = line.boards[0]
        ensure(start.turn != position.turn, "the wrong side threatens")
        first = line.moves[0]
        ensure(start.board_fen() == position.board_fen(), "not the same board")
        if claim["mates"]:
            ensure(line.boards[-1].is_checkmate(), "no mate")
            ensure(line.boards[-1].turn == position.turn, "mates the wrong side")
        else:
            ensure(start.is_capture(first) or first.promotion, "begins with a quiet move")
            ensure(check_balance(line, start.turn, claim) > 0, "wins nothing")
    elif kind == "meets":
        check_defence(position, lines["threat"], line.moves[0], claim["how"])
    elif kind == "ignores":
        first = lines["threat"].moves[0]
        ensure(line.moves[1] == first, "the threat is not carried out")
    elif kind == "terms":
        sign = 1 if position.turn == chess.WHITE else -1
        name = claim["line"]

        def total(line_name, group):
            return sign * sum(data[line_name]["terms"]["groups"].get(group, {}).values())

        for group in claim["groups"]:
            change = total("best", group["group"]) - total(name, group["group"])
            ensure(change == group["change"], f"{group['group']}: {change}")
    else:
        ensure(False, f"an unknown claim: {kind}")


def check(data):
    """The number of claims, and the false ones."""
    start = chess.Board(data["game"]["fen"])
    for text in data["game"]["uci"]:
        start.push_uci(text)
    false = []
    if start.fen(en_passant="fen").split()[:4] != data["fen"].split()[:4]:
        # Lovec writes an en passant square only if a pawn can capture.
        ensure(start.fen().split()[:3] == data["fen"].split()[:3], "another position")
    lines = {name: Line(start, data[name]["uci"]) for name in ("best", "played", "second") if data[name]}
    if data["threat"]:
        passed = start.copy()
        passed.push(chess.Move.null())
        lines["threat"] = Line(passed, data["threat"]["uci"])
    for name in ("best", "played", "second"):
        terms = data[name] and data[name]["terms"]
        if terms:
            total = sum(sum(group.values()) for group in terms["groups"].values())
            if total != terms["static_score"] or total + terms["residual"] != terms["score"]:
                false.append((f"{name}: the terms do not add up", terms))
            if data[name]["score"] != {"cp": terms["score"]}:
                false.append((f"{name}: another score", terms))
            end = lines[name].boards[-1]
            if end.board_fen() != data[name]["end"].split()[0]:
                false.append((f"{name}: another end", data[name]["end"]))
    for claim in data["claims"]:
        try:
            check_claim(data, lines, claim)
        except False_ as error:
            false.append((str(error), claim))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            false.append((repr(error), claim))
    ranks = {claim["rank"] for claim in data["claims"]}
    if len(data["text"]) < len(ranks):
        false.append(("fewer sentences than reasons", data["text"]))
    return len(data["claims"]), false


def random_game(source):
    """Moves of a game in which both sides often take what they can."""
    board = chess.Board()
    for _ in range(source.randrange(4, 90)):
        moves = list(board.legal_moves)
        if not moves:
            board.pop()
            break
        captures = [move for move in moves if board.is_capture(move)]
        board.push(source.choice(captures if captures and source.random() < 0.4 else moves))
    while board.is_game_over():
        board.pop()
    return board


def game_positions(path):
    """All positions of the games of a file, each with the move that was played."""
    found = []
    with open(path) as file:
        while game := chess.pgn.read_game(file):
            board = game.board()
            for move in game.mainline_moves():
                found.append((board.copy(), move))
                board.push(move)
    return found


def explain(binary, nodes, board, move):
    root = board.root()
    text = f"{root.fen()} moves {' '.join(m.uci() for m in board.move_stack)}"
    command = [binary, "explain", "--fen", text, "--nodes", str(nodes), "--hash", "1", "--json"]
    if move:
        command += ["--move", move.uci()]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        return text, move, 0, [("status", ran.stderr)]
    number, false = check(json.loads(ran.stdout))
    return text, move, number, false


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lovec")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pgn")
    args = parser.parse_args()
    source = random.Random(args.seed)
    games = game_positions(args.pgn) if args.pgn else None

    def moves():
        for number in range(args.count):
            if games:
                yield source.choice(games)
                continue
            board = random_game(source)
            best = number % 4 == 0
            yield board, None if best else source.choice(list(board.legal_moves))

    claims = wrong = 0
    with ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda job: explain(args.lovec, args.nodes, *job), moves())
        for text, move, number, false in results:
            claims += number
            for reason, claim in false:
                wrong += 1
                print(f"{text} {move}: {reason}: {claim}")
    print(f"{args.count} explanations, {claims} claims, {wrong} false")
    sys.exit(wrong > 0)


main()
