"""Drives the engine named on the command line through python-chess.

Whatever python-chess raises or complains of in its log fails the run, and so
does any error that the engine reports: nothing here is malformed.
"""

import logging
import sys

import chess
import chess.engine
from chess.engine import Cp, InfoDict, Limit, Mate, SimpleEngine

TIMEOUT = 60
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATE_IN_TWO = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"


class Complaints(logging.Handler):
    """Keeps what python-chess complains of, and what the engine does."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.levelno >= logging.WARNING or "info string error" in message:
            self.found.append(f"{record.levelname}: {message}")


def check_info(board: chess.Board, info: InfoDict) -> None:
    """The line is there and legal, and so is everything that goes with it."""
    assert info["depth"] >= 1 and info["seldepth"] >= 1, info
    assert info["nodes"] > 0 and info["nps"] >= 0 and info["time"] >= 0, info
    assert 0 <= info["hashfull"] <= 1000, info
    line = board.copy()
    assert info["pv"], info
    for move in info["pv"]:
        assert not line.is_game_over(), f"{info['pv']} goes on after the end"
        assert move in line.legal_moves, f"{move} in {info['pv']}"
        line.push(move)
    score = info["score"].relative
    if score.is_mate() and "lowerbound" not in info and "upperbound" not in info:
        assert line.is_checkmate(), f"{score} without a mate at the end of {info['pv']}"


def check_play(board: chess.Board, result: chess.engine.PlayResult) -> None:
    assert result.move in board.legal_moves, result
    if result.info:
        check_info(board, result.info)
        assert result.move == result.info["pv"][0], result
    if result.ponder:
        after = board.copy()
        after.push(result.move)
        assert result.ponder in after.legal_moves, result
    assert not result.resigned and not result.draw_offered, result


def options(engine: SimpleEngine) -> None:
    assert engine.id["name"].startswith("Lovec"), engine.id
    assert engine.id["author"], engine.id
    for name in ["Hash", "Threads", "Move Overhead", "MultiPV"]:
        option = engine.options[name]
        assert option.type == "spin", option
        assert option.min <= option.default <= option.max, option
    for name in ["Ponder", "UCI_Chess960", "OwnBook", "Best Book Move"]:
        assert engine.options[name].type == "check" and not engine.options[name].default
    assert engine.options["Clear Hash"].type == "button"
    for name in ["SyzygyPath", "BookFile"]:
        assert engine.options[name].type == "string"
    # As bots set them, and in the form that python-chess gives a button.
    engine.configure({"Threads": 1, "Hash": 64, "Move Overhead": 50, "Clear Hash": None})
    engine.configure({"hash": 32, "SyzygyPath": "<empty>"})
    engine.ping()


def limits(engine: SimpleEngine) -> None:
    for fen in [chess.STARTING_FEN, KIWIPETE]:
        board = chess.Board(fen)
        for limit in [
            Limit(depth=6),
            Limit(nodes=5_000),
            Limit(time=0.05),
            Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
            Limit(white_clock=0.5, black_clock=0.5, remaining_moves=3),
            Limit(depth=5, nodes=100_000, time=5),
        ]:
            info = engine.analyse(board, limit)
            check_info(board, info)
            assert limit.depth is None or limit.nodes or info["depth"] == limit.depth, info
            assert limit.nodes is None or info["nodes"] <= limit.nodes, info
            result = engine.play(board, limit, info=chess.engine.INFO_ALL)
            check_play(board, result)
    board = chess.Board(MATE_IN_TWO)
    info = engine.analyse(board, Limit(mate=2))
    check_info(board, info)
    assert info["score"].relative == Mate(2), info


def several_lines(engine: SimpleEngine) -> None:
    board = chess.Board(KIWIPETE)
    for count in [1, 3, 256]:
        lines = engine.analyse(board, Limit(depth=4), multipv=count)
        assert len(lines) == min(count, board.legal_moves.count()), len(lines)
        for line in lines:
            check_info(board, line)
        scores = [line["score"].relative for line in lines]
        assert scores == sorted(scores, reverse=True), scores
        assert len({line["pv"][0] for line in lines}) == len(lines), lines


def restricted(engine: SimpleEngine) -> None:
    board = chess.Board()
    wanted = [chess.Move.from_uci(text) for text in ["a2a3", "h2h3"]]
    result = engine.play(board, Limit(depth=4), root_moves=wanted)
    assert result.move in wanted, result
    info = engine.analyse(board, Limit(depth=4), root_moves=wanted[1:])
    assert info["pv"][0] == wanted[1], info


def stream(engine: SimpleEngine) -> None:
    board = chess.Board(KIWIPETE)
    for count in [1, 2]:
        with engine.analysis(board, multipv=count) as analysis:
            depths = [0] * count
            for info in analysis:
                if "pv" not in info:
                    continue
                check_info(board, info)
                index = info.get("multipv", 1) - 1
                assert info["depth"] >= depths[index], f"{info} after depth {depths[index]}"
                depths[index] = info["depth"]
                if depths[-1] >= 6:
                    break
            analysis.stop()
            best = analysis.wait()
        assert best.move == analysis.multipv[0]["pv"][0], best
        # Begun and given up at once.
        with engine.analysis(board):
            pass
    engine.ping()


def ponder(engine: SimpleEngine) -> None:
    # Both the move that was expected, which is hit, and another one.
    for expected in [True, False]:
        board = chess.Board()
        game = object()
        for _ in range(6):
            result = engine.play(board, Limit(time=0.05), game=game, ponder=True)
            check_play(board, result)
            board.push(result.move)
            replies = [move for move in board.legal_moves if (move == result.ponder) == expected]
            board.push(replies[0] if replies else next(iter(board.legal_moves)))
    # A mate, found while it ponders, is reported on request.
    board = chess.Board(MATE_IN_TWO)
    while not board.is_game_over():
        result = engine.play(board, Limit(white_clock=1, black_clock=1), ponder=True)
        check_play(board, result)
        board.push(result.move)
        if not board.is_game_over():
            board.push(result.ponder or next(iter(board.legal_moves)))
    assert board.is_checkmate(), board
    engine.ping()


def finished_games(engine: SimpleEngine) -> None:
    for fen, score in [
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", Mate(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Cp(0)),
    ]:
        board = chess.Board(fen)
        assert engine.analyse(board, Limit(depth=3))["score"].relative == score
        assert engine.play(board, Limit(depth=3)).move is None


def play_game(engine: SimpleEngine, board: chess.Board, limit: Limit, plies: int) -> None:
    """A game against itself, to its end or for a number of plies."""
    game = object()
    while not board.is_game_over(claim_draw=True) and plies > 0:
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        check_play(board, result)
        board.push(result.move)
        plies -= 1


def games(engine: SimpleEngine) -> None:
    play_game(engine, chess.Board(), Limit(nodes=1_500), 300)
    play_game(engine, chess.Board(KIWIPETE), Limit(depth=3), 120)
    # A game that is soon won, played to the mate.
    board = chess.Board("8/8/8/4k3/8/8/Q7/K7 w - - 0 1")
    play_game(engine, board, Limit(depth=12), 60)
    assert board.is_checkmate(), board


def chess960_games(engine: SimpleEngine) -> None:
    for number in [0, 518, 959, 365]:
        board = chess.Board.from_chess960_pos(number)
        play_game(engine, board, Limit(nodes=1_000), 60)
    # Castling in every form: into the place of the rook, over nothing, from the
    # usual place; the engine has to play it, and to take it in a list of moves.
    for fen in [
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/RK6 w A - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/5KR1 w G - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w H - 0 1",
        "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b ea - 0 1",
    ]:
        board = chess.Board(fen, chess960=True)
        for castle in board.generate_castling_moves():
            result = engine.play(board, Limit(depth=4), root_moves=[castle])
            assert result.move == castle, result
            after = board.copy()
            after.push(castle)
            check_play(after, engine.play(after, Limit(depth=4), info=chess.engine.INFO_ALL))
    # And back to the usual form.
    board = chess.Board("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w K - 0 1")
    castle = chess.Move.from_uci("e1g1")
    assert engine.play(board, Limit(depth=4), root_moves=[castle]).move == castle


def main() -> None:
    complaints = Complaints()
    logger = logging.getLogger("chess.engine")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(complaints)

    engine = SimpleEngine.popen_uci(sys.argv[1], timeout=TIMEOUT)
    try:
        for check in [
            options,
            limits,
            several_lines,
            restricted,
            stream,
            ponder,
            finished_games,
            games,
            chess960_games,
        ]:
            print(check.__name__, flush=True)
            check(engine)
        engine.quit()
    finally:
        engine.close()
    status = engine.transport.get_returncode()
    assert status == 0, f"the engine ended with {status}"
    assert not complaints.found, "\n".join(complaints.found)
    print("everything passed")


if __name__ == "__main__":
    main()
