#!/bin/bash
# A client that we did not write (python-chess) plays and analyses with both protocols, with and without pondering, and sets
# every option by its name. And openbench.json by the rules that an OpenBench server enforces.
set -uo pipefail
CASTELLAN=${CASTELLAN:-./castellan}
here=$(cd "$(dirname "$0")/../.." && pwd)
command -v python3 >/dev/null || { echo 'skip python-chess: there is no python3'; exit 0; }

python3 - "$here/openbench.json" <<'PY' || exit 1
import json, re, sys
conf = json.load(open(sys.argv[1]))
side = ["branch", "bench", "network", "options", "time_control"]
common = {f"{who}_{what}" for who in ("both", "dev") for what in side}
common |= {"book_name", "upload_pgns", "priority", "throughput", "syzygy_wdl", "syzygy_adj", "win_adj", "draw_adj"}
base = {f"base_{what}" for what in side} | {"workload_size"}
allowed = {
    "test_presets": common | base | {"test_bounds", "test_confidence", "test_max_games"},
    "tune_presets": common | {f"spsa_{x}" for x in ("reporting_type", "distribution_type", "alpha", "gamma", "A_ratio",
                                                     "iterations", "pairs_per")},
    "datagen_presets": common | base | {"datagen_custom_genfens", "datagen_play_reverses", "datagen_max_games"},
}
faults = []
def need(true, what):
    if not true:
        faults.append(what)
need(isinstance(conf.get("private"), bool), "private is not a truth value")
need(type(conf.get("nps")) is int and conf["nps"] > 0, "nps is not a positive integer")
need(re.fullmatch(r"https://github\.com/[A-Za-z0-9-]+/[A-Za-z0-9_.-]+/?", str(conf.get("source"))),
     "source is not on github.com")
build = conf.get("build", {})
need(isinstance(build.get("path"), str), "build.path is not a string")
for key in ("compilers", "cpuflags", "systems"):
    need(isinstance(build.get(key), list) and all(isinstance(x, str) for x in build[key]), f"build.{key}")
for kind, keys in allowed.items():
    need("default" in conf.get(kind, {}), f"{kind} has no default")
    for name, preset in conf.get(kind, {}).items():
        for key in preset:
            need(key in keys, f"{kind}.{name}: invalid key {key}")
# What the forms of the server accept: values of the default preset, and of another one on top of it.
pair = r"\[-?\d+(\.\d+)?, -?\d+(\.\d+)?\]"
forms = {
    "options": r"(?=.*\bThreads=[1-9])(?=.*\bHash=[1-9]).*", "time_control": r"(N|D|MT)=\d+|(\d+/)?\d*(\.\d+)?(\+(\d+\.)?\d+)?",
    "test_bounds": pair, "test_confidence": pair, "win_adj": r"None|movecount=\d+ score=\d+",
    "draw_adj": r"None|movenumber=\d+ movecount=\d+ score=\d+", "workload_size": r"[1-9]\d*", "book_name": r"NONE|\S+\.(epd|pgn)",
    "spsa_iterations": r"[1-9]\d*", "spsa_pairs_per": r"[1-9]\d*",
}
for kind in allowed:
    for name, preset in conf.get(kind, {}).items():
        for key, value in {**conf[kind].get("default", {}), **preset}.items():
            form = forms.get(re.sub("^(both|dev|base)_", "", key))
            need(not form or re.fullmatch(form, str(value)), f"{kind}.{name}: {key} is {value}")
print("ok openbench.json" if not faults else "not ok openbench.json: " + "; ".join(faults))
sys.exit(bool(faults))
PY

python3 -c 'import chess.engine' 2>/dev/null || {
    echo 'skip python-chess: it is not installed (docs/dev/testing.md says how to get it)'
    exit 0
}
exec python3 - "$CASTELLAN" <<'PY'
import logging, os, sys
import chess, chess.engine

CASTELLAN = os.path.abspath(sys.argv[1])
failures = 0

class Complaints(logging.Handler):
    """What python-chess warns of: lines it did not expect."""
    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []
    def emit(self, record):
        # It refuses features that it does not need, and reads no "stat01".
        if "Rejecting feature" not in record.getMessage() and "stat01" not in record.getMessage():
            self.lines.append(record.getMessage())

complaints = Complaints()
logging.getLogger("chess.engine").addHandler(complaints)
logging.getLogger("chess.engine").propagate = False

def engine(protocol):
    opened = chess.engine.SimpleEngine.popen_uci if protocol == "uci" else chess.engine.SimpleEngine.popen_xboard
    return opened([CASTELLAN, protocol], timeout=20)

def check(name, test, *args):
    global failures
    complaints.lines.clear()
    try:
        test(*args)
        assert not complaints.lines, complaints.lines[:3]
        print(f"ok {name}")
    except Exception as e:
        failures += 1
        print(f"not ok {name}: {type(e).__name__}: {e}")

def plays(protocol, ponder, limit):
    """Both sides by one engine would never ponder: the other side plays the expected reply or the first legal move."""
    with engine(protocol) as e:
        board = chess.Board()
        for turn in range(6):
            r = e.play(board, limit, ponder=ponder, info=chess.engine.INFO_ALL, game=1)
            pv = r.info.get("pv")
            assert not pv or pv[0] == r.move, f"the line {pv} is not of the move {r.move}"
            board.push(r.move)
            replies = list(board.legal_moves)
            board.push(r.ponder if r.ponder and turn % 2 else replies[turn % len(replies)])

def sets_options(protocol):
    with engine(protocol) as e:
        names = [name for name, o in e.options.items() if not o.is_managed()]
        assert len(names) >= 15, names
        for name in names:
            o = e.options[name]
            if o.type == "button":
                e.configure({name: None})
            elif o.type == "check":
                e.configure({name: not o.default})
                e.configure({name: o.default})
            elif o.type == "spin":
                low = 0 if o.min is None else o.min
                e.configure({name: low + 1 if o.max is None or low < o.max else low})
                e.configure({name: o.default})
            elif o.type == "combo":
                for choice in o.var:
                    e.configure({name: choice})
                e.configure({name: o.default})
            elif o.type == "string":
                e.configure({name: "" if o.default is None else o.default})
        e.ping()
        assert e.play(chess.Board(), chess.engine.Limit(depth=2)).move

def has_options(protocol, names):
    with engine(protocol) as e:
        missing = [n for n in names if n not in e.options]
        assert not missing, f"no {missing} in {sorted(e.options)}"

def analyses(protocol):
    with engine(protocol) as e:
        info = e.analyse(chess.Board(), chess.engine.Limit(depth=6))
        assert info["depth"] >= 6 and info["pv"], info

def counts_nodes(protocol):
    with engine(protocol) as e:
        r = e.play(chess.Board(), chess.engine.Limit(nodes=3000), info=chess.engine.INFO_ALL)
        assert 0 < r.info["nodes"] <= 6000, r.info

SHORT = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.05, black_inc=0.05)
for protocol in ("uci", "xboard"):
    for ponder in (False, True):
        check(f"{protocol}_play_ponder_{'on' if ponder else 'off'}", plays, protocol, ponder, SHORT)
        check(f"{protocol}_play_fixed_time_ponder_{'on' if ponder else 'off'}", plays, protocol, ponder,
              chess.engine.Limit(time=0.05))
    check(f"{protocol}_options", sets_options, protocol)
    check(f"{protocol}_analysis", analyses, protocol)
    check(f"{protocol}_nodes", counts_nodes, protocol)
check("uci_option_names", has_options, "uci", ["Move Overhead", "Skill Level", "Opponent Seed", "Clear Hash", "Think Time"])
check("xboard_option_names", has_options, "xboard", ["MoveOverhead", "SkillLevel", "OpponentSeed", "ClearHash", "ThinkTime"])
sys.exit(failures > 0)
PY
