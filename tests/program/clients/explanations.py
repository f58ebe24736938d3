"""Derives every claim of `lovec explain --json` again, with python-chess.

    explanations.py LOVEC COUNT [--seed N] [--nodes N] [--jobs N] [--mutate]
                    [--pgn FILE] [--positions FILE] [--walk N] [--level LEVEL]

Explains COUNT moves of random games, of the games of a PGN file, or after up to --walk random
moves from the positions of a file: a FEN or EPD line each, of Chess960 too, perhaps with
`moves` and moves. Every fourth explanation is of the best move. LEVEL is club or expert.

Each claim is derived from the first position and the moves of the lines alone: captures,
material, mates, draws, motifs, threats and sums. Short mates are proved. The other figures
are derived from one another, and each sentence may name only moves of the lines and pieces
that stand on their squares in them. Prints what is false, and ends with status 1 if anything
is.

With --mutate each claim is also falsified in each of its fields, to show that the checks can
fail; the numbers of falsified claims that were noticed are printed by kind and field.
"""

import argparse
import copy
import json
import math
import random
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.pgn

POINTS = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
KINDS = {chess.piece_name(kind): kind for kind in chess.PIECE_TYPES}
ABOVE_ALL = POINTS | {chess.KING: 99}
SLIDERS = {chess.BISHOP, chess.ROOK, chess.QUEEN}

# The bounds that docs/explain.md names.
FAULTS = {
    "club": [(0.20, "blunder", 4), (0.14, "mistake", 2), (0.06, "inaccuracy", 6)],
    "expert": [(0.25, "blunder", 4), (0.10, "mistake", 2), (0.05, "inaccuracy", 6)],
}
# Expected scores of club players: centipawns of Lovec and of Stockfish, and the slope.
STOCKFISH = [(0, 0), (250, 310), (450, 480), (700, 566), (900, 625), (1200, 660), (1900, 940)]
STOCKFISH += [(2000, 1000)]
SLOPE = 0.003682
LEAST_CENTIPAWNS_A_POINT = 40
# The same for material that falls with the first two moves of a side, and is won back later.
CENTIPAWNS_A_POINT_SOON = 80
# The plies of a line in which material is a reason, with captures and answers to checks that
# follow at once.
NEAR_PLIES = 8
LEAST_CHANGE, LEAST_SHARE, MAX_RESIDUAL_SHARE = 30, 30, 40
LEAST_FEATURE, LEAST_FEATURE_SHARE, FEATURE_PLIES = 15, 15, 8
# The plies of a best line whose end is compared.
LEAST_PLIES = 4
UNNAMED_GROUPS = {"Material", "Imbalance", "Tempo", "Initiative", "Known endgame"}
MAX_REASONS = 3
# The moves of a mate that is a reason before material.
NEAR_MATE = 5
# Mates are proved up to this number of moves.
PROVED_MATE = 2
# The plies in which a trade of the last pieces is a reason.
TRADE_PLIES = 6
# The plies in which a perpetual check begins, and the boards that are looked at for it.
PERPETUAL_PLIES = 12
MAX_POSITIONS = 5_000
# Exchanges are followed to this number of plies.
MAX_EXCHANGE = 6


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

    def origin(self, square, plies=None):
        """Where the piece on a square stood on the first board: after some plies, or all."""
        plies = len(self.moves) if plies is None else plies
        for board, move in zip(reversed(self.boards[:plies]), reversed(self.moves[:plies])):
            if board.is_castling(move):
                rank, short = move.from_square & 56, move.to_square > move.from_square
                rook = next(
                    a for a in board.pieces(chess.ROOK, board.turn) if a & 56 == rank
                    and (a > move.from_square) == short
                    and chess.BB_SQUARES[a] & board.clean_castling_rights()
                )
                places = {rank + (6 if short else 2): move.from_square, rank + (5 if short else 3): rook}
                square = places.get(square, square)
            elif move.to_square == square:
                square = move.from_square
        return square

    def captured(self, ply):
        """The square and the piece that the move takes, or None."""
        board, move = self.boards[ply], self.moves[ply]
        if not board.is_capture(move):
            return None
        square = move.to_square
        if board.is_en_passant(move):
            square += -8 if board.turn == chess.WHITE else 8
        return square, board.piece_at(square)


def balance(line, side, plies, start=0):
    """What a side loses, gains, promotes and allows in the first plies, from `start` on."""
    lists = {"lost": Counter(), "gained": Counter(), "promoted": Counter(), "allowed": Counter()}
    promoted = {}
    for ply in range(start, plies):
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


def first_ply(claim):
    """The ply from which a claim counts material."""
    return 1 if claim.get("taken") else 0


def check_lists(line, side, claim):
    found = balance(line, side, claim["plies"], first_ply(claim))
    for name in found:
        named = Counter(KINDS[piece] for piece in claim["balance"][name])
        ensure(found[name] == named, f"{name}: {found[name]} and not {named}")
    return found


def near(line):
    """The plies of a line in which material is a reason."""
    plies = min(NEAR_PLIES, len(line.moves))
    while plies < len(line.moves) and (line.captured(plies) or line.boards[plies].is_check()):
        plies += 1
    return plies


def until_quiet(line, plies):
    """The first plies and the captures that follow at once."""
    while plies < len(line.moves) and line.captured(plies):
        plies += 1
    return plies


def check_balance(line, side, claim, end):
    """Most of the points of all quiet plies that follow, which stay or are those at the end."""
    found = points(check_lists(line, side, claim))
    start = first_ply(claim)
    whole = points(balance(line, side, end, start))
    sign = 1 if whole > 0 else -1
    ensure(claim["plies"] <= end and sign * found > 0, f"points change to {whole}")
    for plies in range(claim["plies"], end + 1):
        if plies == end or not line.captured(plies):
            later = sign * points(balance(line, side, plies, start))
            ensure(3 * sign * found >= 2 * later, f"points change to {later} after {plies} plies")
            stays = found == whole or later >= sign * found
            ensure(stays, f"points change to {later} after {plies} plies")
    return found


def value(board, square):
    """The points of a piece; 0 of an empty square."""
    kind = board.piece_type_at(square)
    return ABOVE_ALL[kind] if kind else 0


def leaves_between(move, slider, target):
    """Whether the move leaves a square between a slider and its target."""
    return move.from_square in chess.SquareSet.between(slider, target)


def forces_mate(board, moves):
    """Whether the side to move mates in this number of moves, whatever the answers."""
    for move in list(board.legal_moves):
        board.push(move)
        try:
            if board.is_checkmate():
                return True
            answers = list(board.legal_moves)
            if moves > 1 and answers and not board.is_insufficient_material():
                for answer in answers:
                    board.push(answer)
                    mates = forces_mate(board, moves - 1)
                    board.pop()
                    if not mates:
                        break
                else:
                    return True
        finally:
            board.pop()
    return False


def after_answers(board, move):
    """The boards after a move and its answers, by what is on them."""
    after = board.copy(stack=False)
    after.push(move)
    boards = {}
    for answer in after.legal_moves:
        again = after.copy(stack=False)
        again.push(answer)
        boards[again.epd(en_passant="legal")] = again
    return boards


def lasts(board, move):
    """Whether a move gives check by pieces that cannot be taken."""
    if not board.gives_check(move):
        return False
    after = board.copy(stack=False)
    after.push(move)
    return not any(answer.to_square in after.checkers() for answer in after.legal_moves)


def checks_for_ever(board, first):
    """Whether a side can check after a first check for ever, whatever the answers."""
    layer, checks = after_answers(board, first), {}
    begin = set(layer)
    while layer and len(checks) + len(layer) <= MAX_POSITIONS:
        deeper = {}
        for place, at in layer.items():
            boards = [after_answers(at, move) for move in at.legal_moves if lasts(at, move)]
            checks[place] = [set(answers) for answers in boards]
            for answers in boards:
                deeper |= answers
        safe, before = set(checks), None
        while safe != before:
            before = safe
            safe = {place for place in safe if any(answers <= safe for answers in checks[place])}
        if begin <= safe:
            return True
        layer = {place: at for place, at in deeper.items() if place not in checks}
    return False


def check_perpetual(data, line, claim):
    """Checks to the end of a drawn line, and the side can go on for ever."""
    by, ply = color_of(claim["by"]), claim["ply"]
    mover = line.boards[0].turn
    ensure(data[claim["line"]]["white_score"] == {"cp": 0}, "no draw")
    if claim["line"] == "best":
        ensure(by == mover, "the best move allows it")
    else:
        ensure(data["best"]["expected"] >= 0.55, "a draw is no loss")
    ensure(ply < PERPETUAL_PLIES, "a late one")
    ensure(line.boards[ply].turn == by, "by the other side")
    checks = [line.boards[at + 1].is_check() for at in range(ply % 2, len(line.moves), 2)]
    ensure(all(checks[ply // 2 :]), "a move gives no check")
    shown = lambda at: checks_for_ever(line.boards[at], line.moves[at])
    ensure(shown(ply), "the checks come to an end")
    while ply >= 2 and checks[ply // 2 - 1]:
        ply -= 2
        ensure(not shown(ply), "an earlier check shows it")


def check_motif(line, claim):
    ply, by = claim["ply"], square_of(claim["by"])
    targets = [square_of(target) for target in claim["targets"]]
    before, move, after = line.boards[ply], line.moves[ply], line.boards[ply + 1]
    side = before.turn
    kind = claim["motif"]

    def next_move():
        ensure(len(line.moves) > ply + 2, "the line ends before the motif collects")
        return line.moves[ply + 2]

    def is_attacker(board):
        ensure(board.color_at(by) == side, "no attacking piece")

    if kind == "fork":
        ensure(by == move.to_square, "the forking piece did not move")
        ensure(len(set(targets)) >= 2, "fewer than two targets")
        takers = after.attackers(not side, by)
        guarded = after.attackers(side, by)
        ensure(guarded or not takers, "the forking piece is attacked and undefended")
        ensure(all(value(after, t) >= value(after, by) for t in takers), "a cheaper piece takes")
        for target in targets:
            ensure(after.color_at(target) == (not side), "no piece to fork")
            ensure(after.piece_type_at(target) != chess.PAWN, "a pawn")
            ensure(target in after.attacks(by), "the target is not attacked")
            worth_more = value(after, target) > value(after, by)
            loose = not after.attackers(not side, target) and target not in takers
            ensure(worth_more or loose, "the target is defended and worth no more")
        origins = {line.origin(target, ply + 1) for target in targets}
        next_move()
        moves = [later for later in (ply + 2, ply + 4) if later < len(line.moves)]
        fallen = {later: line.captured(later) for later in moves}
        taken = {line.origin(fall[0], later) for later, fall in fallen.items() if fall}
        ensure(taken & origins, "no target is taken")
    elif kind == "pin":
        (target,) = targets
        ensure(after.color_at(target) == (not side), "no pinned piece")
        ensure(after.is_pinned(not side, target), "not pinned")
        ensure(by in after.pin(not side, target), "pinned by another piece")
        is_attacker(after)
        ensure(target in after.attacks(by), "pinned by another piece")
    elif kind == "skewer":
        front, back = targets
        ensure(by == move.to_square, "the skewering piece did not move")
        ensure(after.color_at(front) == after.color_at(back) == (not side), "no targets")
        ensure(front in after.attacks(by), "the front piece is not attacked")
        ensure(back in chess.SquareSet.ray(by, front), "not on one line")
        ensure(front in chess.SquareSet.between(by, back), "in the wrong order")
        ensure(line.moves[ply + 1].from_square == front, "the front piece stays")
        ensure(next_move().to_square == back, "the back piece is not taken")
        ensure(next_move().from_square == by, "another piece takes")
        ensure(value(after, front) > value(after, back) > 1, "the back piece is not worth less")
    elif kind == "discovered_attack":
        (target,) = targets
        ensure(target not in before.attacks(by), "attacked before")
        ensure(target in after.attacks(by), "not attacked")
        ensure(leaves_between(move, by, target), "nothing is uncovered")
        taken = ply + 2
        if (next_move().from_square, next_move().to_square) != (by, target):
            taken = ply + 4
            between = line.moves[ply + 1 : taken]
            ensure(after.is_check() and line.boards[ply + 3].is_check(), "no check between")
            stays = all({m.from_square, m.to_square}.isdisjoint({by, target}) for m in between)
            ensure(stays, "a piece does not stay")
        ensure(line.moves[taken].from_square == by, "another piece takes")
        ensure(line.moves[taken].to_square == target, "the target is not taken")
        is_attacker(after)
        ensure(after.color_at(target) == (not side), "nothing to attack")
    elif kind == "discovered_check":
        (king,) = targets
        ensure(by != move.to_square, "the moved piece checks")
        ensure(by in after.checkers(), "no check by this piece")
        ensure(king == after.king(not side), "no king")
        ensure(leaves_between(move, by, king), "nothing is uncovered")
    elif kind == "double_check":
        ensure(len(after.checkers()) == 2, "no double check")
        ensure(by == move.to_square, "another piece moved")
        ensure(targets == [after.king(not side)], "no king")
    elif kind == "deflection":
        (defender,) = targets
        earlier, answer = line.boards[ply - 1], line.moves[ply - 1]
        lure = line.moves[ply - 2]
        ensure(earlier.is_check() or answer.to_square == lure.to_square, "no forced move")
        ensure(answer.to_square == defender, "another piece left")
        ensure(by == move.to_square, "another square")
        ensure(line.captured(ply) or move.promotion, "nothing is taken")
        ensure(by in earlier.attacks(answer.from_square), "it did not guard the square")
        ensure(by not in before.attacks(defender), "it still guards the square")
    elif kind == "attraction":
        (lure,) = targets
        ensure(move.to_square == lure, "no lure")
        ensure(line.moves[ply + 1].to_square == lure, "the lure is not taken")
        ensure(next_move().to_square == by, "another attacker")
        ensure(lure in line.boards[ply + 3].attacks(by), "not attacked after that")
        ensure(value(line.boards[ply + 2], lure) >= 5, "a minor piece or pawn is lured")
        if line.boards[ply + 2].piece_type_at(lure) != chess.KING:
            ensure(line.moves[ply + 4].to_square == lure, "the lured piece is not taken")
    elif kind == "x_ray":
        (through,) = targets
        moves = line.moves[ply - 2 : ply + 1]
        ensure(len({m.to_square for m in moves}) == 1, "not on one square")
        ensure(moves[1].from_square == through, "through another square")
        ensure(through in chess.SquareSet.between(move.from_square, by), "not through it")
    elif kind == "back_rank_mate":
        king = after.king(not side)
        ensure(after.is_checkmate(), "no mate")
        ensure(targets == [king], "no king")
        ensure(chess.square_rank(king) == (0 if side == chess.BLACK else 7), "not on the rank")
        ensure(chess.square_rank(by) == chess.square_rank(king), "not along the rank")
        ensure(by in after.checkers(), "another piece mates")
        front = 1 if side == chess.BLACK else 6
        for square in chess.SquareSet(chess.BB_KING_ATTACKS[king] & chess.BB_RANKS[front]):
            ensure(after.color_at(square) == (not side), "the king is not shut in")
    elif kind == "smothered_mate":
        king = after.king(not side)
        ensure(after.is_checkmate(), "no mate")
        ensure(targets == [king], "no king")
        ensure(list(after.checkers()) == [by], "another piece mates")
        ensure(after.piece_type_at(by) == chess.KNIGHT, "no knight")
        around = chess.SquareSet(chess.BB_KING_ATTACKS[king])
        ensure(all(after.color_at(square) == (not side) for square in around), "not smothered")
    elif kind == "trapped_piece":
        (trapped,) = targets
        ensure(after.color_at(trapped) == (not side), "nothing to trap")
        ensure(after.attackers(side, trapped), "not attacked")
        ensure(not after.is_check(), "a check")
        ensure(next_move().from_square == by, "another piece takes")
        def escapes(board):
            for escape in board.legal_moves:
                if escape.from_square == trapped:
                    escaped = board.copy()
                    escaped.push(escape)
                    dear = value(board, escape.to_square) >= value(board, trapped)
                    if not dear and not escaped.attackers(side, escape.to_square):
                        yield escape
        ensure(not list(escapes(after)), "it escapes")
        if before.attackers(side, trapped) and not before.is_check() and not before.attackers(not side, trapped):
            passed = before.copy()
            passed.push(chess.Move.null())
            blocked = not any(move.from_square == trapped for move in passed.legal_moves)
            ensure(not blocked, "it had no move before")
        if ply >= 2 and not before.is_check():
            passed = before.copy()
            passed.push(chess.Move.null())
            def is_safe(escape):
                at, escaped = escape.to_square, passed.copy()
                if value(passed, at) >= value(passed, trapped):
                    return True
                escaped.push(escape)
                takers = escaped.attackers(side, at)
                cheaper = any(value(escaped, taker) < value(escaped, at) for taker in takers)
                return not takers or escaped.attackers(not side, at) and not cheaper
            moves = [move for move in passed.legal_moves if move.from_square == trapped]
            ensure(any(is_safe(move) for move in moves), "it was trapped before")
    elif kind == "promotion":
        ensure(move.promotion is not None, "no promotion")
        ensure(by == move.to_square, "another square")
        ensure(not targets, "targets")
    else:
        ensure(False, f"a motif that is not to be named: {kind}")


STRENGTHS = {"passed_pawns", "bishop_pair", "open_file", "outpost"}
GROUPS_OF_FEATURES = {
    "doubled_pawns": {"Pawns"}, "isolated_pawns": {"Pawns"}, "backward_pawns": {"Pawns"},
    "lost_castling": {"King", "King danger"}, "bare_king": {"King", "King danger"},
    "undeveloped": {"Placement", "Mobility", "Pieces"}, "passed_pawns": {"Passed pawns"},
    "bishop_pair": {"Imbalance", "Pieces"}, "open_file": {"Pieces", "Mobility"},
    "outpost": {"Pieces", "Placement"},
}


def feature_squares(kind, board, side):
    """The squares of the pieces of a side that have a feature."""
    file, rank = chess.square_file, chess.square_rank
    own, enemy = (set(board.pieces(chess.PAWN, color)) for color in (side, not side))
    step = 1 if side else -1
    row = lambda square: rank(square) if side else 7 - rank(square)
    near = lambda square, other: abs(file(square) - file(other)) == 1
    stands_before = lambda square, other: step * (rank(other) - rank(square)) > 0
    pieces = lambda kind: set(board.pieces(kind, side))
    king = board.king(side)
    if kind == "doubled_pawns":
        return {a for a in own if any(file(a) == file(b) and a != b for b in own)}
    if kind == "isolated_pawns":
        return {a for a in own if not any(near(a, b) for b in own)}
    if kind == "backward_pawns":
        def is_backward(pawn):
            front = pawn + 8 * step
            helped = any(near(pawn, b) and not stands_before(pawn, b) for b in own)
            held = any(near(front, b) and b - front in (7 * step, 9 * step) for b in enemy)
            supported = any(near(front, b) and not stands_before(pawn, b) for b in own)
            return held and not helped and not supported
        return {a for a in own if is_backward(a) and any(near(a, b) for b in own)}
    if kind == "passed_pawns":
        stops = lambda a, b: abs(file(a) - file(b)) <= 1 and stands_before(a, b)
        behind = lambda a: any(file(a) == file(b) and stands_before(a, b) for b in own)
        return {a for a in own if not any(stops(a, b) for b in enemy) and not behind(a)}
    if kind == "lost_castling":
        inside = rank(king) == (0 if side else 7) and 3 <= file(king) <= 5
        return {king} if inside and not board.has_castling_rights(side) else set()
    if kind == "bare_king":
        before = [a for a in own if abs(file(a) - file(king)) <= 1 and row(a) - row(king) in (0, 1, 2)]
        attacked = board.pieces(chess.QUEEN, not side)
        return {king} if attacked and row(king) <= 1 and len(before) <= 1 else set()
    if kind == "undeveloped":
        homes = {chess.KNIGHT: (1, 6), chess.BISHOP: (2, 5)}
        return {a for kind in homes for a in pieces(kind) if row(a) == 0 and file(a) in homes[kind]}
    if kind == "bishop_pair":
        others = board.pieces(chess.BISHOP, not side)
        return pieces(chess.BISHOP) if len(pieces(chess.BISHOP)) >= 2 > len(others) else set()
    if kind == "open_file":
        return {a for a in pieces(chess.ROOK) if not any(file(a) == file(b) for b in own | enemy)}
    if kind == "outpost":
        held = lambda a: any(near(a, b) and b + 8 * step == a - (file(a) - file(b)) for b in own)
        driven = lambda a: any(near(a, b) and stands_before(a, b) for b in enemy)
        return {a for a in pieces(chess.KNIGHT) if row(a) in (4, 5) and held(a) and not driven(a)}
    ensure(False, f"an unknown feature: {kind}")


def check_feature(data, lines, claim):
    line, best_line, mover = lines[claim["line"]], lines["best"], lines["best"].boards[0].turn
    kind, side, ply = claim["feature"], color_of(claim["side"]), claim["ply"]
    ensure((kind in STRENGTHS) == (side != mover), "of the wrong side")
    boards = (line.boards[0], best_line.boards[-1], line.boards[-1])
    start, other, end = (feature_squares(kind, board, side) for board in boards)
    at_home = kind == "undeveloped"
    plies = len(best_line.moves)
    elsewhere = {
        best_line.origin(square, at) for at in range(plies if at_home else 0, plies + 1)
        for square in feature_squares(kind, best_line.boards[at], side)
    }
    own = chess.SquareSet(best_line.boards[-1].occupied_co[side])
    alive = {best_line.origin(square) for square in own}
    new = {
        square for square in end
        if (line.origin(square) in start) == at_home and line.origin(square) not in elsewhere
        and (kind in STRENGTHS or line.origin(square) in alive)
    }
    ensure({square_of(square) for square in claim["squares"]} == new != set(), "other squares")
    ensure(len(end) > len(other), "no more than otherwise")
    ensure(at_home or len(end) > len(start), "no more than before")
    if at_home:
        ensure(len(end) >= len(other) + 2, "one piece only")
    if kind == "lost_castling":
        ensure(line.boards[0].has_castling_rights(side), "nothing to lose")
    had = [feature_squares(kind, board, side) for board in line.boards[1:]]
    of_side = kind in ("lost_castling", "bishop_pair")
    since = [bool(squares) if of_side else new <= squares for squares in had]
    ensure(all(since[ply:]) and (ply == 0 or not since[ply - 1]), "since another move")
    ensure(ply < FEATURE_PLIES, "late")
    ensure(len(best_line.moves) >= LEAST_PLIES, "a short line")
    ensure(data["level"] == "expert", "features for club players")
    sign = 1 if mover == chess.WHITE else -1
    best, other = data["best"]["terms"], data[claim["line"]]["terms"]
    total = lambda terms: sum(
        sum(terms["groups"].get(group, {}).values()) for group in GROUPS_OF_FEATURES[kind]
    )
    change, loss = (sign * (of(best) - of(other)) for of in (total, lambda terms: terms["score_cp"]))
    enough = change >= LEAST_FEATURE and 100 * change >= LEAST_FEATURE_SHARE * loss
    ensure(enough, f"worth {change} of {loss}")
    residual = abs(best["residual_cp"] - other["residual_cp"])
    ensure(100 * residual <= MAX_RESIDUAL_SHARE * loss, "the search knows more")


def exchanged(board, side, low=-999, high=999, plies=MAX_EXCHANGE):
    """The points of a side if both take what they want, and answer checks, and stop at will."""
    sign = 1 if board.turn == side else -1
    standing = sign * gained(board, side)
    if plies == 0:
        return sign * standing
    best = -999 if board.is_check() and any(board.legal_moves) else standing
    for move in list(board.legal_moves):
        if max(low, best) >= high:
            break
        if board.is_check() or board.is_capture(move) or move.promotion:
            board.push(move)
            value = exchanged(board, side, -high, -max(low, best), plies - 1)
            # The value is for `side`; the bounds are for the side to move.
            best = max(best, sign * value)
            board.pop()
    return sign * best


def keeps(board, side, least):
    """Whether a side has mated, or has these points by exchanges after each move of the other."""
    for reply in list(board.legal_moves):
        board.push(reply)
        holds = any(board.legal_moves) and exchanged(board, side, least - 1, least) >= least
        board.pop()
        if not holds:
            return False
    return board.is_checkmate() or any(board.legal_moves)


def keeps_material(board, side, least):
    """Whether a side has these points after exchanges, and its next move if it is to move."""
    if board.turn != side:
        return exchanged(board, side) >= least
    for move in list(board.legal_moves):
        board.push(move)
        value = exchanged(board, side, -least, 1 - least)
        board.pop()
        if value >= least:
            return True
    return False


def gained(board, side):
    """The points of a side's pieces, and minus the points of the other side's."""

    def total(color):
        return sum(POINTS[kind] * len(board.pieces(kind, color)) for kind in POINTS)

    return total(side) - total(not side)


def check_defence(data, position, threat, line, how):
    """A defence as the board shows it; `otherwise` is what the search found."""
    move = line.moves[0]
    first = threat.moves[0]
    start, target = first.from_square, first.to_square
    after = line.boards[1]
    attacked = not position.is_castling(move)
    if how == "captures":
        ensure(move.to_square == start and position.is_capture(move), "it does not capture")
    elif how == "moves_away":
        ensure(attacked and move.from_square == target, "another piece moves")
    elif how == "blocks":
        ensure(position.piece_type_at(start) in SLIDERS, "nothing to block")
        ensure(move.to_square in chess.SquareSet.between(start, target), "it does not block")
    elif how == "defends":
        ensure(after.color_at(target) == position.turn, "nothing to defend")
        ensure(target in after.attacks(move.to_square), "it does not defend")
        ensure(target not in position.attacks(move.from_square), "it defended before")
    else:
        ensure(how == "otherwise", "an unknown defence")
    if first in after.legal_moves:
        carried = after.copy()
        carried.push(first)
        ensure(not carried.is_checkmate(), "the threat still mates")
        if not threat.boards[-1].is_checkmate():
            side = not position.turn
            won = points(balance(threat, side, near(threat)))
            now = exchanged(carried, side) - gained(position, side)
            ensure(now < won, f"the threat still wins {now} of {won} points")


def won_at_once(lines, side, kept):
    """The points that the move wins by what it takes, and the captures that follow at once; any
    number, if the best line takes the same piece, which is half of what it wins (`kept`) or more,
    and the move does not exchange it."""
    best, played = lines
    square, piece = played.captured(0)
    won = points(balance(played, side, until_quiet(played, 1)))
    back = played.captured(1) if len(played.moves) > 1 else None
    if back and back[0] == square and POINTS[back[1].piece_type] >= POINTS[piece.piece_type]:
        return won
    taken = ((ply, best.captured(ply)) for ply in range(near(best)))
    same = any(
        other and other[1].color != side and best.origin(other[0], ply) == square
        for ply, other in taken
    )
    return math.inf if same and 2 * POINTS[piece.piece_type] >= kept else won


def check_compared_material(data, lines, claim, found):
    """The material of a fault: the search counts on it."""
    name = claim["line"]
    side = lines["best"].boards[0].turn
    sign = 1 if side == chess.WHITE else -1
    ensure((found > 0) == (name == "best"), "of the wrong line")
    lines = [lines["best"], lines["played"]]
    kept, lost = (points(balance(line, side, near(line))) for line in lines)
    if lines[1].captured(0) and not lines[1].moves[0].promotion:
        if name == "best":
            ensure(kept > won_at_once(lines, side, kept), "the move takes as much")
        ensure(not claim["taken"] or kept <= won_at_once(lines, side, kept), "the best line wins more")
    best, played = (sign * data[n]["white_score"].get("cp", 0) for n in ("best", "played"))
    mates = ["mate" in data[n]["white_score"] for n in ("best", "played")]
    if lines[0].boards[-1].is_checkmate():
        ensure(mates[1] or played <= LEAST_CENTIPAWNS_A_POINT * lost, "it costs nothing")
        return
    ensure(kept > lost, "the best line has no more material")
    ensure(name != "best" or kept + lost >= 0, "the loss is larger")
    enough = best - played >= LEAST_CENTIPAWNS_A_POINT * (kept - lost)
    ensure(any(mates) or enough, "the search does not count on it")
    behind = 100 * min(0, gained(lines[0].boards[0], side))

    def is_lost(start):
        before = gained(lines[1].boards[start], side)
        points_lost = points(balance(lines[1], side, near(lines[1]), start))
        bears_out = played <= 100 * before + LEAST_CENTIPAWNS_A_POINT * points_lost
        is_kept = lambda: keeps_material(lines[1].boards[-1], not side, -(before + points_lost))
        return points_lost < 0 and (bears_out or is_kept())

    bears_out = best - behind >= LEAST_CENTIPAWNS_A_POINT * kept
    bears_out = bears_out or best - played >= 100 * (kept - lost) and not is_lost(0)
    if name != "best" and not mates[1]:
        ensure(is_lost(first_ply(claim)), "it is won back")
    ensure(name != "best" or not lines[1].boards[-1].is_checkmate(), "the mate is more")
    ensure(name != "best" or any(mates) or bears_out, "the score does not bear it out")


def check_balance_of(line, claim, end):
    """The balance of a claim, of the side that begins the line."""
    side = color_of(claim["side"])
    ensure(side == line.boards[0].turn, "another side")
    found = check_balance(line, side, claim, end)
    ensure(found == claim["points"], f"{found} points")
    plies = claim["plies"]
    ensure(plies == len(line.moves) or not line.captured(plies), "a capture follows")
    return found


def check_material(data, lines, claim):
    """What falls in the near part of a line."""
    line = lines[claim["line"]]
    found = check_balance_of(line, claim, near(line))
    for other in data["claims"]:
        if other["kind"] == "falls" and other["rank"] == claim["rank"]:
            ensure(other["piece"] != "pawn" or other["ply"] < NEAR_PLIES, "a pawn falls late")
    if claim["taken"]:
        ensure(line.captured(0)[1].piece_type == KINDS[claim["taken"]], "another piece is taken")
        whole = points(balance(line, line.boards[0].turn, near(line)))
        ensure(found < 0 <= whole, "it loses")
        is_even = not any(balance(line, line.boards[0].turn, near(line)).values())
        is_piece = claim["taken"] != "pawn"
        ensure(not is_even or is_piece and is_grave(data), "a pawn, or of an inaccuracy")
    if data["verdict"] and data["verdict"]["mark"]:
        check_compared_material(data, lines, claim, found)


def check_material_soon(data, lines, claim):
    """What falls soon, where the lines are even later: the first reason of a large loss."""
    best, played = lines["best"], lines["played"]
    side = best.boards[0].turn
    sign = 1 if side == chess.WHITE else -1
    scores = [sign * data[name]["white_score"]["cp"] for name in ("best", "played")]
    ensure(claim["rank"] == 1, "another reason comes first")

    def check_after(plies):
        now, reply = until_quiet(best, plies), until_quiet(played, plies + 1)
        kept, lost = points(balance(best, side, now)), points(balance(played, side, reply))
        line, end = (played, reply) if claim["points"] < 0 else (best, now)
        ensure(line is lines[claim["line"]] and not claim["taken"], "of the wrong line")
        ensure(line is played or 2 * lost <= kept, "the move wins as much")
        fallen = balance(line, side, end)["lost" if line is played else "gained"]
        is_more = set(fallen) - {chess.PAWN} or kept - lost > 1
        ensure(plies == 1 or is_grave(data) and is_more, "a pawn, or of an inaccuracy")
        check_balance_of(line, claim, end)
        if line is best and played.captured(0) and not played.moves[0].promotion:
            ensure(kept > won_at_once([best, played], side, kept), "the move takes as much")
        least = max(100, CENTIPAWNS_A_POINT_SOON * (kept - lost))
        ensure(kept > lost and scores[0] - scores[1] >= least, "the loss does not bear it out")

    why = [is_false(check_after, plies) for plies in (1, 3)]
    ensure(not all(why), why)


def at_a_profit(board, square, by):
    """Whether a piece can be taken at a profit: by a cheaper piece, or as nothing guards it, or
    by exchanges on its square."""
    takers = board.attackers(by, square)
    if any(value(board, taker) < value(board, square) for taker in takers):
        return True
    if not takers or not board.attackers(not by, square):
        return bool(takers)
    to_move = board.copy(stack=False)
    to_move.turn, to_move.ep_square = by, None
    for move in to_move.legal_moves:
        if move.to_square == square:
            taken = to_move.copy(stack=False)
            taken.push(move)
            if exchanged(taken, by) > gained(board, by):
                return True
    return False


def is_grave(data):
    return data["verdict"]["mark"] in ("mistake", "blunder")


def check_attack(data, lines, claim):
    """A safe piece attacks a queen or rook anew, and nothing else is told of a large loss."""
    line, ply, square = lines[claim["line"]], claim["ply"], square_of(claim["square"])
    before, after, move = line.boards[ply], line.boards[ply + 1], line.moves[ply]
    ensure(ply == (0 if claim["line"] == "best" else 1), "another move")
    ensure(value(before, move.to_square) <= 1, "an exchange")
    is_queen = after.piece_type_at(move.to_square) == chess.QUEEN
    ensure(not is_queen or claim["piece"] != "queen", "an offer to exchange")
    ensure(after.piece_at(square) == chess.Piece(KINDS[claim["piece"]], after.turn), "no such piece")
    ensure(claim["piece"] in ("queen", "rook"), "another piece")
    ensure(square in after.attacks(move.to_square), "not attacked")
    ensure(at_a_profit(after, square, before.turn), "without a profit")
    ensure(not at_a_profit(before, square, before.turn), "attacked before")
    cheaper = (value(after, taker) for taker in after.attackers(after.turn, move.to_square))
    ensure(all(taker >= value(after, move.to_square) for taker in cheaper), "the piece is not safe")
    ensure({other["kind"] for other in data["claims"]} <= {"attacks", "feature", "terms"}, "beside")
    sign = 1 if lines["best"].boards[0].turn == chess.WHITE else -1
    scores = [sign * data[name]["white_score"]["cp"] for name in ("best", "played")]
    ensure(scores[0] - scores[1] >= 100, "the loss does not bear it out")


def check_claim(data, lines, claim):
    position = lines["best"].boards[0]
    mover = position.turn
    name = claim["line"]
    line = lines[name]
    kind = claim["kind"]
    is_fault = bool(data["verdict"] and data["verdict"]["mark"])
    if kind == "forced":
        ensure(position.legal_moves.count() == 1, "other moves are legal")
        others = {other["kind"] for other in data["claims"]} - {"forced"}
        ensure(others <= {"mates", "motif"}, "more reasons")
    elif kind == "mates":
        by, end = color_of(claim["by"]), line.boards[-1]
        ensure(end.is_checkmate() and end.turn != by, "the line does not mate")
        moves = sum(board.turn == by for board in line.boards[:-1])
        ensure(moves == claim["moves"], f"mate after {moves} moves")
        sign = 1 if by == chess.WHITE else -1
        ensure(data[name]["white_score"] == {"mate": sign * moves}, "another score")
        start = line.boards[0] if line.boards[0].turn == by else line.boards[1]
        if moves <= PROVED_MATE:
            ensure(forces_mate(start.copy(), moves), "the mate is not forced")
        if is_fault and by != mover and moves > NEAR_MATE:
            others = {other["kind"] for other in data["claims"]} - {"mates", "motif"}
            ensure(others <= {"perpetual_check"}, "something else loses")
    elif kind == "draws":
        ensure(claim["ply"] == 0, "not at once")
        ensure(data["best"]["expected"] >= 0.55, "a draw is no loss")
        board = line.boards[1]
        rules = {
            "stalemate": board.is_stalemate,
            "repetition": lambda: board.is_repetition(3),
            "fifty_moves": lambda: board.halfmove_clock >= 100,
            "insufficient_material": board.is_insufficient_material,
        }
        ensure(rules[claim["how"]](), f"no {claim['how']}")
    elif kind == "perpetual_check":
        check_perpetual(data, line, claim)
    elif kind == "material":
        why = is_false(check_material, data, lines, claim)
        ensure(not why or is_fault and not is_false(check_material_soon, data, lines, claim), why)
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
    elif kind == "answered":
        ply = claim["ply"]
        board, winner = line.boards[ply].copy(), line.boards[ply - 1].turn
        capture = board.parse_uci("".join(claim["capture"]))
        ensure(board.is_capture(capture), "no capture")
        played = line.moves[ply].to_square if ply < len(line.moves) else None
        ensure(played != capture.to_square, "the line plays it")
        same = [other for other in data["claims"] if other["rank"] == claim["rank"]]
        falls = any(other["kind"] == "falls" and other["ply"] + 1 == ply for other in same)
        ensure(falls, "nothing falls before")
        least = gained(line.boards[first_ply(same[0])], winner) + abs(same[0]["points"])
        board.push(capture)
        board.push(board.parse_uci("".join(claim["answer"])))
        ensure(keeps(board, winner, least), "it is no answer")
    elif kind == "motif":
        check_motif(line, claim)
    elif kind == "pawn_ending":
        pieces = lambda board, side: board.occupied_co[side] & ~board.pawns & ~board.kings
        bare = lambda board: board.occupied & ~board.kings == board.pawns != 0
        ply, best = claim["ply"], data["best"]["expected"]
        ensure(all(pieces(position, side) for side in chess.COLORS), "nothing to trade")
        ensure(bare(line.boards[ply + 1]) and not bare(line.boards[ply]), "no last piece is taken")
        ensure(ply < TRADE_PLIES and claim["rank"] == 1, "late, or beside another reason")
        ensure(not any(bare(board) for board in lines["best"].boards), "the best line trades too")
        ensure(best > data[name]["expected"], "it is not worse")
        ensure(points(balance(line, mover, ply + 1)) > -1, "material is lost before")
    elif kind == "attacks":
        check_attack(data, lines, claim)
    elif kind == "promotes":
        ply = claim["ply"]
        move, color = line.moves[ply], line.boards[ply].turn
        ensure(move.promotion == KINDS[claim["piece"]], "another promotion")
        ensure(move.to_square == square_of(claim["square"]), "another square")
        ensure(color == color_of(claim["color"]) != mover, "another side")
        at = move.to_square
        for later in range(ply + 1, len(line.moves)):
            captured = line.captured(later)
            ensure(not captured or captured[0] != at, "it is taken")
            if line.moves[later].from_square == at:
                at = line.moves[later].to_square
        best = balance(lines["best"], mover, len(lines["best"].moves))
        ensure(not best["allowed"], "it promotes after the best move too")
        played = balance(line, mover, len(line.moves))
        ensure(not played["promoted"], "both sides promote")
        ensure(claim["rank"] == 1 or ply < near(line), "late, and beside another reason")
    elif kind == "threatens":
        start = line.boards[0]
        ensure(name == "threat" and start.turn != mover, "the wrong side threatens")
        ensure(not position.is_check(), "no pass in check")
        pieces = position.occupied_co[mover] & ~position.pawns & ~position.kings
        ensure(pieces, "no pass with bare pawns")
        first = line.moves[0]
        ensure(start.board_fen() == position.board_fen(), "not the same board")
        if claim["mates"]:
            ensure(line.boards[-1].is_checkmate(), "no mate")
            ensure(line.boards[-1].turn == mover, "mates the wrong side")
            ensure(claim["plies"] == len(line.moves), "before the mate")
            if len(line.moves) <= 2 * PROVED_MATE:
                moves = (len(line.moves) + 1) // 2
                ensure(forces_mate(start.copy(), moves), "the mate is not forced")
            check_lists(line, start.turn, claim)
        else:
            ensure(line.captured(0) or first.promotion, "begins with a quiet move")
            ensure(check_balance(line, start.turn, claim, near(line)) > 0, "wins nothing")
    elif kind == "meets":
        ensure(claim["how"] == data["threat"][met_by(name)], "another defence")
        check_defence(data, position, lines["threat"], line, claim["how"])
    elif kind == "feature":
        check_feature(data, lines, claim)
    elif kind == "terms":
        ensure(data["level"] == "expert", "terms for club players")
        sign = 1 if mover == chess.WHITE else -1
        best, other = data["best"]["terms"], data[name]["terms"]
        loss = sign * (best["score_cp"] - other["score_cp"])
        residual = abs(best["residual_cp"] - other["residual_cp"])
        ensure(100 * residual <= MAX_RESIDUAL_SHARE * loss, "the search knows more")
        ensure(len(lines["best"].moves) >= LEAST_PLIES, "a short line")

        def total(terms, group):
            return sign * sum(terms["groups"].get(group, {}).values())

        ensure(claim["groups"], "no group")
        for group in claim["groups"]:
            ensure(group["group"] not in UNNAMED_GROUPS, "a group that is not to be named")
            change = total(best, group["group"]) - total(other, group["group"])
            ensure(change == group["change"], f"{group['group']}: {change}")
            enough = change >= LEAST_CHANGE and 100 * change >= LEAST_SHARE * loss
            ensure(enough, f"{group['group']}: too little")
    else:
        ensure(False, f"an unknown claim: {kind}")


def met_by(name):
    return "met_by_best" if name == "best" else "met_by_other"


def expected(score, sign):
    """The expected score of a club player."""
    if "mate" in score:
        mate = sign * score["mate"]
        return float(mate > 0)
    lovec = sign * score["cp"]
    found = STOCKFISH[-1][1]
    for (low, left), (high, right) in zip(STOCKFISH, STOCKFISH[1:]):
        if abs(lovec) <= high:
            found = left + (right - left) * (abs(lovec) - low) / (high - low)
            break
    return 1 / (1 + math.exp(-SLOPE * math.copysign(found, lovec)))


def check_line(data, name, line, position):
    """The figures of a line: moves, probabilities, sums, and the mate of its score."""
    written = data[name]
    boards = zip(line.boards, line.moves)
    ensure(written["san"] == [board.san(move) for board, move in boards], "other SAN")
    ensure(line.boards[-1].board_fen() == written["end_fen"].split()[0], "another end")
    win, draw, loss = written["wdl"]
    ensure(win + draw + loss == 1000, "probabilities")
    sign = 1 if position.turn == chess.WHITE else -1
    if data["level"] == "expert":
        calculated, error = (win + draw / 2) / 1000, 2e-3
    else:
        calculated, error = expected(written["white_score"], sign), 2e-4
    ensure(abs(written["expected"] - calculated) < error, "expected score")
    terms, score = written["terms"], written["white_score"]
    if terms:
        total = sum(sum(group.values()) for group in terms["groups"].values())
        ensure(total == terms["static_cp"], "the terms do not add up")
        ensure(total + terms["residual_cp"] == terms["score_cp"], "the residual does not add up")
        ensure(score == {"cp": terms["score_cp"]}, "another score")


def check_verdict(data):
    verdict = data["verdict"]
    ensure((verdict is None) == (data["played"] is None), "a verdict without a move")
    if verdict is None:
        return
    lost = max(0, data["best"]["expected"] - data["played"]["expected"])
    ensure(abs(verdict["loss"] - lost) < 2e-4, "another loss")
    bounds = FAULTS[data["level"]]
    # Both probabilities are rounded.
    is_clear = all(abs(lost - bound) > 2e-4 for bound, *_ in bounds)
    if is_clear and verdict["confirmed"] is not False:
        found = next((rest for bound, *rest in bounds if lost >= bound), [None] * 2)
        ensure([verdict["mark"], verdict["nag"]] == found, "another mark")
    ensure(verdict["confirmed"] is not False or verdict["mark"] is None, "not confirmed")
    ensure(verdict["mark"] is None or verdict["confirmed"], "not confirmed")


NUMBERED = re.compile(r"(\d+)\.(\.\.)?((?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?)[+#]?)")
PIECE_ON = re.compile(r"the (king|queen|rook|bishop|knight|pawn) on ([a-h][1-8])")


def numbered(line, ply):
    """The move of a ply with its number."""
    board = line.boards[ply]
    dots = "." if board.turn == chess.WHITE else "..."
    return f"{board.fullmove_number}{dots}{board.san(line.moves[ply])}"


def taken_before(board, square):
    """The points of what the last move took, if it went to this square."""
    if not board.move_stack or board.peek().to_square != square:
        return 0
    before = board.copy()
    last = before.pop()
    return 1 if before.is_en_passant(last) else value(before, square)


def check_text(data, lines):
    """A sentence names only moves of the lines, and pieces that stand there in a line."""
    moves, pieces = set(), set()
    for line in lines.values():
        for board, move in zip(line.boards, line.moves):
            moves.add((board.fullmove_number, board.turn, board.san(move)))
        for board in line.boards:
            pieces |= {(piece.piece_type, at) for at, piece in board.piece_map().items()}
    for claim in data["claims"]:
        told = data["text"][claim["rank"] - 1]
        if claim["kind"] == "material" and claim["points"] < 0 and claim["balance"]["lost"]:
            ensure(numbered(lines[claim["line"]], 1) in told, "without the reply")
        if claim["kind"] == "material":
            changed = claim["balance"]["lost" if claim["points"] < 0 else "gained"]
            most = max((POINTS[KINDS[piece]] for piece in changed), default=0)
            same = [other for other in data["claims"] if other["rank"] == claim["rank"]]
            falls = [POINTS[KINDS[other["piece"]]] for other in same if other["kind"] == "falls"]
            is_more = any(fallen > most for fallen in falls)
            ensure(("on balance" in told) == is_more, "on balance or not")
            board, first = lines[claim["line"]].boards[0], lines[claim["line"]].moves[0]
            back = max(-gained(board, board.turn), taken_before(board, first.to_square))
            ensure("wins back" not in told or claim["points"] <= back, "nothing is won back")
        if claim["kind"] == "feature" and claim["feature"] != "undeveloped":
            ensure(numbered(lines[claim["line"]], claim["ply"]) in told, "without its move")
        if claim["kind"] == "mates":
            best, by = lines["best"].boards[-1], color_of(claim["by"])
            is_lost = best.is_checkmate() and best.turn != by != lines["best"].boards[0].turn
            ensure(("all the same" in told) == is_lost, "all the same or not")
        if claim["kind"] == "answered":
            board = lines[claim["line"]].boards[claim["ply"]].copy()
            for squares in (claim["capture"], claim["answer"]):
                move = board.parse_uci("".join(squares))
                moves.add((board.fullmove_number, board.turn, board.san(move)))
                board.push(move)
        if claim.get("motif") == "deflection":
            line, ply = lines[claim["line"]], claim["ply"]
            drawn = line.boards[ply].piece_type_at(square_of(claim["targets"][0]))
            draws = f" draws the {chess.piece_name(drawn)} from the "
            draws += f"defence of {claim['by']}, so that {numbered(line, ply)} works"
            lure = line.boards[ply - 2].piece_type_at(line.moves[ply - 2].from_square)
            names = [numbered(line, ply - 2), f"the {chess.piece_name(lure)}"]
            ensure(any(name + draws in told for name in names), "another lure")
    for sentence in data["text"]:
        for number, dots, san in NUMBERED.findall(sentence):
            ensure((int(number), not dots, san) in moves, f"{number}.{dots}{san} is in no line")
        for piece, at in PIECE_ON.findall(sentence):
            ensure((KINDS[piece], square_of(at)) in pieces, f"no {piece} on {at}")
    ranks = [claim["rank"] for claim in data["claims"]]
    ensure(sorted(set(ranks)) == list(range(1, len(set(ranks)) + 1)), "ranks with gaps")
    ensure(ranks == sorted(ranks) and len(set(ranks)) <= MAX_REASONS, "ranks")
    ensure(len(data["text"]) >= len(set(ranks)), "fewer sentences than reasons")


def check_position(data, start, asked):
    chess960 = start.chess960
    ensure(start.board_fen() == data["fen"].split()[0], "another position")
    read = chess.Board(data["fen"], chess960=chess960)
    ensure(set(read.legal_moves) == set(start.legal_moves), "another position")
    ensure(read.halfmove_clock == start.halfmove_clock, "another clock")
    ensure(color_of(data["side_to_move"].lower()) == start.turn, "another side")
    best = data["best"]["uci"][0]
    if asked and asked != best:
        ensure(data["played"] and data["played"]["uci"][0] == asked, "another move")
    else:
        ensure(data["played"] is None, "no move was to be explained")
    if data["second"]:
        ensure(data["second"]["uci"][0] != best, "the best move twice")
    if data["silence"] == "unconfirmed":
        ensure(not data["verdict"] or data["verdict"]["confirmed"] is False, "confirmed")


def lines_of(data, chess960):
    start = chess.Board(data["game"]["fen"], chess960=chess960)
    for text in data["game"]["uci"]:
        start.push_uci(text)
    names = [name for name in ("best", "played", "second") if data[name]]
    lines = {name: Line(start, data[name]["uci"]) for name in names}
    if data["threat"]:
        passed = start.copy()
        passed.push(chess.Move.null())
        lines["threat"] = Line(passed, data["threat"]["uci"])
    return start, lines


def is_false(check, *arguments):
    """Why a check fails, or None."""
    try:
        check(*arguments)
    except False_ as error:
        return str(error)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return repr(error)
    return None


def check(data, chess960=False, asked=None):
    """The false claims."""
    start, lines = lines_of(data, chess960)
    false = [(is_false(check_position, data, start, asked), data["fen"])]
    for name in ("best", "played", "second"):
        if data[name]:
            false.append((is_false(check_line, data, name, lines[name], start), data[name]))
    false.append((is_false(check_verdict, data), data["verdict"]))
    false.append((is_false(check_text, data, lines), data["text"]))
    false += [(is_false(check_claim, data, lines, claim), claim) for claim in data["claims"]]
    return [(reason, what) for reason, what in false if reason]


# Other values for the fields of claims.
OTHERS = {
    "color": lambda text: {"white": "black", "black": "white"}[text],
    "square": lambda text: chess.square_name(chess.square_mirror(square_of(text)) ^ 1),
    "piece": lambda text: "rook" if text != "rook" else "knight",
    "number": lambda number: number + 1,
    "flag": lambda flag: not flag,
    "draw": lambda how: "fifty_moves" if how == "stalemate" else "stalemate",
    "defence": lambda how: "captures" if how != "captures" else "blocks",
    "feature": lambda kind: "outpost" if kind != "outpost" else "open_file",
    "motif": lambda kind: "smothered_mate" if kind != "smothered_mate" else "back_rank_mate",
}
FIELDS = {
    "by": "square", "from": "square", "square": "square", "color": "color", "side": "color",
    "piece": "piece", "taken": "piece", "moves": "number", "points": "number", "ply": "number",
    "undefended": "flag", "mates": "flag", "how": "defence", "motif": "motif",
    "feature": "feature",
}


def mutants(claim):
    """Each with the name of the changed field."""
    for field, was in claim.items():
        other = copy.deepcopy(claim)
        kind = FIELDS.get(field)
        if field in ("targets", "squares", "capture", "answer"):
            if not was:
                continue
            other[field] = [OTHERS["square"](square) for square in was]
        elif field == "balance":
            other[field]["lost"] = was["lost"] + ["rook"]
        elif field == "groups":
            other[field][0]["change"] += 1
        elif (claim["kind"], field) == ("falls", "by"):
            other[field] = OTHERS["piece"](was)
        elif (claim["kind"], field) in (("mates", "by"), ("perpetual_check", "by")):
            other[field] = OTHERS["color"](was)
        elif (claim["kind"], field) == ("draws", "how"):
            other[field] = OTHERS["draw"](was)
        elif kind:
            other[field] = OTHERS[kind](was)
        else:
            continue
        yield field, other


def noticed(data, chess960):
    """How many falsified claims the checks notice, by kind and field."""
    start, lines = lines_of(data, chess960)
    counts = Counter()
    for claim in data["claims"]:
        name = claim.get("motif") or claim.get("feature") or claim["kind"]
        for field, other in mutants(claim):
            counts[name, field, bool(is_false(check_claim, data, lines, other))] += 1
    return counts


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


def read_position(text):
    """A FEN or EPD line, perhaps with moves; Chess960 if its castling rights are files."""
    fen, _, moves = text.partition(" moves ")
    fields = fen.split()
    fields = fields[:6] if fields[4:5] and fields[4].isdigit() else fields[:4] + ["0", "1"]
    chess960 = fields[2] != "-" and not set(fields[2]) <= set("KQkq")
    board = chess.Board(" ".join(fields), chess960=chess960)
    if chess960:
        board.chess960 = True
    for move in moves.split():
        board.push_uci(move)
    return board


def walked(source, board, plies):
    """The board after up to this number of random moves."""
    for _ in range(source.randint(0, plies)):
        moves = list(board.legal_moves)
        captures = [move for move in moves if board.is_capture(move)]
        if not moves:
            break
        board.push(source.choice(captures if captures and source.random() < 0.3 else moves))
    while board.is_game_over():
        board.pop()
    return board


def explain(binary, nodes, level, mutate, board, move):
    root = board.root()
    fen = root.shredder_fen() if board.chess960 else root.fen()
    text = f"{fen} moves {' '.join(m.uci() for m in board.move_stack)}"
    command = [binary, "explain", "--fen", text, "--nodes", str(nodes), "--hash", "1", "--json"]
    command += ["--level", level]
    asked = move.uci() if move else None
    if move:
        command += ["--move", asked]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0 or ran.stderr:
        return text, asked, Counter(), Counter(), [("status", ran.stderr)]
    data = json.loads(ran.stdout) | {"level": level}
    kinds = Counter(claim.get("motif") or claim.get("feature") or claim["kind"] for claim in data["claims"])
    caught = noticed(data, board.chess960) if mutate else Counter()
    return text, asked, kinds, caught, check(data, board.chess960, asked)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lovec")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pgn")
    parser.add_argument("--positions")
    parser.add_argument("--walk", type=int, default=0)
    parser.add_argument("--level", choices=FAULTS, default="club")
    parser.add_argument("--mutate", action="store_true")
    args = parser.parse_args()
    source = random.Random(args.seed)
    games = game_positions(args.pgn) if args.pgn else None
    texts = open(args.positions).read().splitlines() if args.positions else None

    def moves():
        for number in range(args.count):
            played = None
            if games:
                board, played = source.choice(games)
            elif texts:
                board = walked(source, read_position(source.choice(texts)), args.walk)
            else:
                board = random_game(source)
            best = number % 4 == 0 and not games
            yield board, None if best else played or source.choice(list(board.legal_moves))

    kinds, caught, wrong = Counter(), Counter(), 0
    with ThreadPoolExecutor(args.jobs) as pool:
        job = lambda job: explain(args.lovec, args.nodes, args.level, args.mutate, *job)
        results = pool.map(job, moves())
        for number, (text, asked, claims, mutants, false) in enumerate(results, 1):
            if number % 500 == 0:
                print(f"{number} explanations", file=sys.stderr, flush=True)
            kinds += claims
            caught += mutants
            for reason, claim in false:
                wrong += 1
                print(f"{text} {asked}: {reason}: {claim}", flush=True)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    for kind, field in sorted({(kind, field) for kind, field, _ in caught}):
        seen, missed = caught[kind, field, True], caught[kind, field, False]
        print(f"falsified {kind} {field}: {seen} of {seen + missed} noticed")
    print(f"{args.count} explanations, {sum(kinds.values())} claims, {wrong} false")
    sys.exit(wrong > 0)


main()
