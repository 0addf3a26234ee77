#!/usr/bin/env python3
"""Scores positions by searches of a UCI engine, for `castellan net error`.

    score.py --engine ./stockfish --jobs 2 --sample 3000 --seed 5 positions.fen -o positions.epd
    castellan net error default new.net --positions positions.epd

Reads FENs, one a line, and writes EPD lines such as "8/8/4k3/8/8/4K3/4P3/8 w - - ce 35; hmvc 0;", in
the order of the input. The ce operation is the engine's score in centipawns for the side to move.
Kept are quiet positions: the score is no mate and at most --max-score, and the best move is neither
a capture nor a promotion. A position is searched after ucinewgame, so that its score does not depend
on the positions before it. The output appears when all searches are done."""
import argparse
import os
import queue
import random
import re
import subprocess
import sys
import threading
import time

PIECES = "PNBRQKpnbrqk"
CASTLING = re.compile(r"-|[KQA-H]{0,2}[kqa-h]{0,2}")
SQUARE = re.compile(r"-|[a-h][36]")
MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
START_SECONDS = 30       # for the engine's answers to uci and isready
NODES_PER_SECOND = 1000  # fewer than any engine searches; the limit of a search follows from it


class Failure(Exception):
    """What ends the program, in words for the user."""


# ---- Positions ----

def squares_of(placement):
    """The pieces of a FEN's first field by square name ("e4")."""
    ranks = placement.split("/")
    if len(ranks) != 8:
        raise Failure(f"{len(ranks)} ranks instead of 8 in '{placement}'")
    squares = {}
    for number, rank in zip(range(8, 0, -1), ranks):
        file = 0
        for c in rank:
            if c in "12345678":
                file += int(c)
            elif c in PIECES and file < 8:
                squares[f"{'abcdefgh'[file]}{number}"] = c
                file += 1
            else:
                raise Failure(f"unexpected '{c}' in rank '{rank}'")
        if file != 8:
            raise Failure(f"{file} squares instead of 8 in rank '{rank}'")
    for king in "Kk":
        if list(squares.values()).count(king) != 1:
            raise Failure(f"not exactly one king '{king}' in '{placement}'")
    return squares


class Fen:
    def __init__(self, line):
        fields = line.split()
        if not 4 <= len(fields) <= 6:
            raise Failure(f"{len(fields)} fields: a FEN has 4 to 6")
        self.squares = squares_of(fields[0])
        for value, pattern, name in ((fields[1], re.compile("[wb]"), "side to move"),
                                     (fields[2], CASTLING, "castling field"),
                                     (fields[3], SQUARE, "en passant square")):
            if not value or not pattern.fullmatch(value):
                raise Failure(f"invalid {name} '{value}'")
        for counter in fields[4:]:
            if not re.fullmatch("[0-9]{1,4}", counter):
                raise Failure(f"invalid move counter '{counter}'")
        self.four = " ".join(fields[:4])
        self.halfmoves = int(fields[4]) if len(fields) > 4 else 0
        self.move_number = max(1, int(fields[5])) if len(fields) > 5 else 1

    def __str__(self):
        return f"{self.four} {self.halfmoves} {self.move_number}"

    def is_quiet_move(self, move):
        """True for a legal move of the position that neither captures nor promotes."""
        start, to = move[:2], move[2:4]
        if len(move) > 4:
            return False
        piece, taken = self.squares.get(start, ""), self.squares.get(to)
        if taken and taken.isupper() != piece.isupper():  # castling may be written as king takes rook
            return False
        return not (piece in ("P", "p") and start[0] != to[0])  # en passant


def read_fens(path):
    fens = []
    try:
        with (sys.stdin if path == "-" else open(path, encoding="ascii")) as f:
            for number, line in enumerate(f, 1):
                if not line.strip():
                    continue
                try:
                    fens.append(Fen(line))
                except Failure as why:
                    raise Failure(f"{path}:{number}: {why}") from None
    except OSError as why:
        raise Failure(f"{path}: {why.strerror}") from None
    except UnicodeDecodeError:
        raise Failure(f"{path}: not a text of ASCII characters") from None
    if not fens:
        raise Failure(f"{path}: no positions")
    return fens


def sample_of(fens, size, seed):
    if not size or size >= len(fens):
        return fens
    chosen = random.Random(seed).sample(range(len(fens)), size)
    return [fens[i] for i in sorted(chosen)]


# ---- The engine ----

class Engine:
    """A UCI engine in a process of its own. A thread reads its lines, so that waiting for one has a
    time limit."""

    def __init__(self, path):
        self.path, self.lines = path, queue.Queue()
        try:
            self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            text=True, bufsize=1, errors="replace")
        except OSError as why:
            raise Failure(f"{path}: {why.strerror}") from None
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)  # the end

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Failure(f"{self.path}: the engine ended") from None

    def lines_until(self, word, seconds):
        """Yields the lines up to the one that begins with the word, which is the last."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Failure(f"{self.path}: no {word} in {seconds:.0f} s") from None
            if line is None:
                raise Failure(f"{self.path}: the engine ended while {word} was awaited")
            yield line
            if line.split()[:1] == [word]:
                return

    def ask(self, line, word):
        self.send(line)
        for _ in self.lines_until(word, START_SECONDS):
            pass

    def search(self, fen, nodes):
        """Returns the kind of score ("cp" or "mate"), its value, and the best move."""
        self.send("ucinewgame")
        self.ask("isready", "readyok")
        self.send(f"position fen {fen}")
        self.send(f"go nodes {nodes}")
        score, best = None, []
        for line in self.lines_until("bestmove", START_SECONDS + nodes / NODES_PER_SECOND):
            best = line.split()
            score = score_of(best) or score
        move = best[1] if len(best) > 1 else ""
        if not MOVE.fullmatch(move):  # "(none)", "0000": the game is over
            return "none", 0, ""
        if not score:
            raise Failure(f"{self.path}: no score for {fen}")
        return (*score, move)

    def close(self):
        self.process.kill()
        self.process.wait()


def score_of(words):
    """The score of an info line, as its kind and its value; None where there is none. Bounds are no
    scores."""
    if words[:1] != ["info"] or "score" not in words or "string" in words:
        return None
    if "lowerbound" in words or "upperbound" in words:
        return None
    kind, value = (words[words.index("score") + 1:] + ["", ""])[:2]
    return (kind, int(value)) if kind in ("cp", "mate") and re.fullmatch("-?[0-9]+", value) else None


# ---- The searches ----

class Work:
    """Positions that several engines share."""

    def __init__(self, fens, options):
        self.fens, self.options = fens, options
        self.lock = threading.Lock()
        self.next, self.done = 0, 0
        self.results = [None] * len(fens)
        self.failure, self.engines, self.stopped = None, [], False

    def take(self):
        with self.lock:
            self.next += 1
            return None if self.stopped or self.next > len(self.fens) else self.next - 1

    def score(self, engine, fen):
        kind, value, move = engine.search(fen, self.options.nodes)
        if kind != "cp" or abs(value) > self.options.max_score or not fen.is_quiet_move(move):
            return None
        return f"{fen.four} ce {value}; hmvc {fen.halfmoves};\n"

    def open_engine(self):
        engine = Engine(self.options.engine)
        with self.lock:
            self.engines.append(engine)
            stopped = self.stopped
        if stopped:
            engine.close()
        engine.ask("uci", "uciok")
        engine.ask("isready", "readyok")
        return engine

    def run(self):
        """The work of one thread with one engine."""
        try:
            engine = self.open_engine()
            while (i := self.take()) is not None:
                try:
                    self.results[i] = self.score(engine, self.fens[i])
                except Failure as why:
                    raise Failure(f"{why} (position {self.fens[i]})") from None
                with self.lock:
                    self.done += 1
        except Failure as why:
            with self.lock:
                self.failure = self.failure or why  # later ones follow from the first
            self.stop()

    def stop(self):
        with self.lock:
            self.stopped = True
            engines = list(self.engines)
        for engine in engines:
            engine.close()

    def show(self, end):
        kept = sum(result is not None for result in self.results)
        print(f"{self.done} of {len(self.fens)} positions searched, {kept} kept", end=end,
              file=sys.stderr, flush=True)


def score_all(fens, options):
    work = Work(fens, options)
    threads = [threading.Thread(target=work.run, daemon=True)
               for _ in range(min(options.jobs, len(fens)))]
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            threads[0].join(0.5) if threads[0].is_alive() else time.sleep(0.1)
            if sys.stderr.isatty():
                work.show("\r")
        work.show("\n")
    finally:
        work.stop()
    if work.failure:
        raise work.failure
    return [result for result in work.results if result]


# ---- Output and arguments ----

def write_lines(path, lines):
    """A reader of the path sees the old file or the whole new one."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "w", encoding="ascii") as f:
            f.writelines(lines)
            f.flush()
            os.fsync(f.fileno())
        os.replace(part, path)
    except OSError as why:
        raise Failure(f"{path}: {why.strerror}") from None
    finally:
        if os.path.exists(part):
            os.unlink(part)


def check_place(path):
    """Finds before the searches what would be found after them."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise Failure(f"{path}: is a folder")
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise Failure(f"{path}: no folder that can be written to")


def at_least(least):
    def read(word):
        if not re.fullmatch("[0-9]+", word) or int(word) < least:
            raise argparse.ArgumentTypeError(f"invalid value '{word}': an integer from {least}")
        return int(word)
    return read


def read_arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("fens", metavar="FILE", help="FENs, one a line; '-': standard input")
    p.add_argument("-o", "--out", required=True, metavar="FILE.epd", help="the file to write")
    p.add_argument("--engine", required=True, metavar="PATH", help="the UCI engine")
    p.add_argument("--nodes", type=at_least(1), default=40000, metavar="N",
                   help="nodes per position (default: 40000)")
    p.add_argument("--jobs", type=at_least(1), default=1, metavar="N",
                   help="engines that search at the same time (default: 1)")
    p.add_argument("--sample", type=at_least(1), default=0, metavar="N",
                   help="search N random positions of the file instead of all")
    p.add_argument("--seed", type=at_least(0), default=1, metavar="S",
                   help="random seed of --sample (default: 1)")
    p.add_argument("--max-score", type=at_least(0), default=600, metavar="CP",
                   help="greatest score of a position that is kept (default: 600)")
    return p.parse_args()


def main():
    options = read_arguments()
    try:
        check_place(options.out)
        fens = sample_of(read_fens(options.fens), options.sample, options.seed)
        lines = score_all(fens, options)
        if not lines:
            raise Failure(f"none of {len(fens)} positions is quiet; {options.out} is not written")
        write_lines(options.out, lines)
    except Failure as why:
        sys.exit(f"score.py: {why}")
    except KeyboardInterrupt:
        sys.exit("\nscore.py: interrupted; nothing is written")


if __name__ == "__main__":
    main()
