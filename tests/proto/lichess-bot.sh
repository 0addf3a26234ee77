#!/bin/bash
# Games through lichess-bot's own engine wrapper: both protocols, with and without pondering, with clocks.
#
#   PYTHONPATH=../python-chess CASTELLAN=./castellan tests/proto/lichess-bot.sh ../lichess-bot
#
# Needs python-chess and what lichess-bot imports (Debian: python3-yaml python3-requests python3-backoff python3-rich).
set -uo pipefail
CASTELLAN=$(realpath "${CASTELLAN:-./castellan}")
bot=${1:-${LICHESS_BOT:-}}
python=${PYTHON:-python3}
if [ -z "$bot" ] || ! (cd "$bot" 2>/dev/null && "$python" -c 'import lib.engine_wrapper' 2>/dev/null); then
    echo 'skip lichess-bot: there is no clone of it, or a module that it imports is missing'
    exit 0
fi
cd "$bot" || exit 1
exec "$python" - "$CASTELLAN" <<'PY'
import logging, os, sys, time
import chess, chess.engine
from lib import engine_wrapper
from lib.config import Configuration

failures = 0

class Complaints(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []
    def emit(self, record):
        if "Rejecting feature" not in record.getMessage() and "stat01" not in record.getMessage():
            self.lines.append(record.getMessage())

complaints = Complaints()
logging.getLogger("chess.engine").addHandler(complaints)
logging.getLogger("chess.engine").propagate = False

def config(protocol):
    off = {"offer_draw_enabled": False, "offer_draw_score": 0, "offer_draw_moves": 5, "offer_draw_pieces": 10,
           "offer_draw_for_egtb_zero": True, "resign_enabled": False, "resign_score": -1000, "resign_moves": 3,
           "resign_for_egtb_minus_two": True}
    options = {"uci_options": {"Move Overhead": 100, "Threads": 1, "Hash": 16, "UCI_ShowWDL": True},
               "xboard_options": {"MoveOverhead": 100, "cores": 1, "memory": 32}}
    return Configuration({"engine": {
        "dir": os.path.dirname(sys.argv[1]), "name": os.path.basename(sys.argv[1]), "protocol": protocol, "interpreter": None,
        "interpreter_options": [], "engine_options": {}, "silence_stderr": False, "draw_or_resign": off, "debug": False,
        "working_dir": os.getcwd(), f"{protocol}_options": options[f"{protocol}_options"]}})

def game(protocol, ponder, plies=24):
    """The other side plays any legal move, so most ponder moves miss; the clock is ours."""
    clock, board = 8.0, chess.Board()
    with engine_wrapper.create_engine(config(protocol)) as engine:
        for ply in range(plies):
            if board.is_game_over():
                break
            if ply % 2:
                moves = list(board.legal_moves)
                board.push(moves[ply * 7 % len(moves)])
                time.sleep(0.05)
                continue
            limit = chess.engine.Limit(white_clock=clock, black_clock=8, white_inc=0.1, black_inc=0.1, clock_id="lichess")
            begin = time.perf_counter()
            result = engine.search(board, limit, ponder, False, None)
            clock += 0.1 - (time.perf_counter() - begin)
            assert result.move in board.legal_moves, f"{result.move} is not legal in {board.fen()}"
            pv = result.info.get("pv")
            assert not pv or pv[0] == result.move, f"line {pv} for move {result.move}"
            assert clock > 0, f"lost on time at ply {ply}: {clock}"
            engine.add_comment(result, board)
            board.push(result.move)
            engine.get_stats()

for protocol in ("uci", "xboard"):
    for ponder in (False, True):
        name = f"lichess-bot {protocol}, pondering {'on' if ponder else 'off'}"
        complaints.lines.clear()
        try:
            for _ in range(3):
                game(protocol, ponder)
            assert not complaints.lines, complaints.lines[:3]
            print(f"ok {name}")
        except Exception as e:
            failures += 1
            print(f"not ok {name}: {type(e).__name__}: {e}")
sys.exit(failures > 0)
PY
