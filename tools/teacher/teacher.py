#!/usr/bin/env python3
"""A teacher for Castellan's net: a transformer on a GPU that predicts how far the label of a position
is from the net's value, and then labels any number of positions.

    castellan data positions --out train --net data/castellan.net --val 0.03 labels
    castellan data positions --out held --net data/castellan.net --val 0.03 --held-out labels
    castellan data positions --out near --net data/castellan.net --val 0.03 --variants 8 labels
    teacher.py train --data train --held-out held --out teacher.pt --seconds 600
    teacher.py label --model teacher.pt --data near --out near-labelled
    castellan train --data labels --positions near-labelled ...

Only for making nets: the chess program does not use it. Needs PyTorch and NumPy."""
import argparse
import glob
import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

HEADER = 32  # bytes before the records of a file of positions (src/train/positions.h)
RECORD = np.dtype([("occupied", "u1", 8), ("pieces", "u1", 16), ("score", "<i2"), ("result", "u1"),
                   ("king", "u1", 2), ("count", "u1"), ("value", "<i2")])
TOKENS = 32              # pieces of a position; missing ones are NO_PIECE
SQUARES = 64
NO_PIECE = 12 * SQUARES  # the tokens before it are piece * 64 + square
SCALE = 800.0            # of the sigmoid, in centipawns, as `castellan train --sigmoid-scale`
SCORE_LIMIT = 4000


def files_of(path):
    files = sorted(glob.glob(os.path.join(path, "*.cps"))) if os.path.isdir(path) else [path]
    if not files:
        sys.exit(f"teacher: {path}: no files of positions (*.cps)")
    return files


def read_records(path):
    with open(path, "rb") as f:
        if f.read(HEADER)[:8] != b"CASTPOSN":
            sys.exit(f"teacher: {path}: not a file of positions")
    return np.fromfile(path, dtype=RECORD, offset=HEADER)


def tokens_of(records, device):
    """Positions as 32 tokens each, mirrored so that the king of the side to move is on files a to d."""
    occupied = torch.from_numpy(np.ascontiguousarray(records["occupied"])).to(device)
    bit = torch.arange(8, device=device, dtype=torch.uint8)
    on = ((occupied[:, :, None] >> bit) & 1).reshape(-1, SQUARES).to(torch.int16)
    packed = torch.from_numpy(np.ascontiguousarray(records["pieces"])).to(device)
    pieces = torch.stack((packed & 15, packed >> 4), dim=2).reshape(-1, TOKENS).to(torch.int16)
    # The k-th occupied square of each position: sorting brings the occupied ones to the front.
    square = torch.arange(SQUARES, device=device, dtype=torch.int16)
    order = torch.where(on > 0, square, square + SQUARES).sort(dim=1).values[:, :TOKENS]
    king = torch.from_numpy(np.ascontiguousarray(records["king"][:, 0])).to(device)
    mirror = torch.where((king & 7) > 3, 7, 0).to(torch.int16)[:, None]
    tokens = pieces * SQUARES + (order ^ mirror)
    return torch.where(order < SQUARES, tokens, torch.full_like(tokens, NO_PIECE))


class Positions:
    """Positions in the memory of the device, ready for training."""

    def __init__(self, path, device, limit=0):
        tokens, scores, values = [], [], []
        for name in files_of(path):
            records = read_records(name)
            for at in range(0, len(records), 1 << 20):
                part = records[at:at + (1 << 20)]
                tokens.append(tokens_of(part, device))
                scores.append(torch.from_numpy(part["score"].astype(np.float32)).to(device))
                values.append(torch.from_numpy(part["value"].astype(np.float32)).to(device))
            if limit and sum(map(len, tokens)) >= limit:
                break
        self.tokens, self.scores, self.values = torch.cat(tokens), torch.cat(scores), torch.cat(values)

    def __len__(self):
        return len(self.tokens)

    def batch(self, index):
        return self.tokens[index].int(), self.scores[index], self.values[index]


def attend(q, k, v):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v)
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        # Queries and keys know their squares: a file, a diagonal or a knight's jump is learnt at once.
        self.where = nn.Linear(SQUARES + 1, 2 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        nn.init.normal_(self.where.weight, std=0.02)
        for last in (self.out, self.down):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, x, squares):
        b, t, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).chunk(3, -1)
        where_q, where_k = self.where(squares).chunk(2, -1)
        split = lambda y: y.reshape(b, t, self.heads, -1).transpose(1, 2)
        y = attend(split(q + where_q), split(k + where_k), split(v))
        x = x + self.out(y.transpose(1, 2).reshape(b, t, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Teacher(nn.Module):
    """The difference between the label and the net's value, in units of SCALE. Zero at the start."""

    def __init__(self, width, depth):
        super().__init__()
        self.config = {"width": width, "depth": depth}
        self.embed = nn.Embedding(NO_PIECE + 1, width)
        self.blocks = nn.ModuleList(Block(width, width // 32) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.head, self.last = nn.Linear(width, width), nn.Linear(width, 1)
        nn.init.normal_(self.embed.weight, std=0.05)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, tokens):
        x = self.embed(tokens)
        square = torch.where(tokens == NO_PIECE, SQUARES, tokens % SQUARES)
        squares = F.one_hot(square.long(), SQUARES + 1).to(x.dtype)
        for block in self.blocks:
            x = block(x, squares)
        x = F.gelu(self.head(self.norm(x).mean(1)))
        return self.last(x).squeeze(1).float()


def half_precision(device):
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda")


def loss_of(model, batch):
    tokens, scores, values = batch
    with half_precision(tokens.device):
        difference = model(tokens)
    predicted = torch.sigmoid(values / SCALE + difference)
    return F.mse_loss(predicted, torch.sigmoid(scores / SCALE))


@torch.no_grad()
def evaluate(model, held, size):
    sums = [0.0, 0.0]
    whole = len(held) // size * size  # full batches only: one shape, one compilation
    for at in range(0, whole, size):
        batch = held.batch(torch.arange(at, at + size, device=held.tokens.device))
        sums[0] += float(loss_of(model, batch))
        sums[1] += float(F.mse_loss(torch.sigmoid(batch[2] / SCALE), torch.sigmoid(batch[1] / SCALE)))
    return [s / max(1, whole // size) for s in sums]


def save(model, path):
    torch.save({"config": model.config, "weights": model.state_dict()}, path + ".tmp")
    os.replace(path + ".tmp", path)


def load_model(path, device):
    stored = torch.load(path, map_location=device)
    model = Teacher(**stored["config"]).to(device)
    model.load_state_dict(stored["weights"])
    return model


def compiled(model, args):
    return torch.compile(model) if args.compile and hasattr(torch, "compile") else model


def groups_of(model, decay):
    """Weight decay for matrices only."""
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() < 2]
    return [{"params": matrices, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]


def train(args):
    device = torch.device(args.device)
    torch.manual_seed(args.seed)
    data = Positions(args.data, device, args.max_positions)
    held = Positions(args.held_out, device, args.max_positions)
    model = load_model(args.start, device) if args.start else Teacher(args.width, args.depth).to(device)
    fast = compiled(model, args)
    optimizer = torch.optim.AdamW(groups_of(model, args.decay), lr=args.rate, betas=(0.9, 0.98))
    count = sum(p.numel() for p in model.parameters())
    print(f"{len(data)} positions, {len(held)} held out, {count / 1e6:.1f} million weights", flush=True)
    loss = loss_of(fast, data.batch(torch.arange(args.batch, device=device)))  # compiles
    loss.backward()
    began, shown, step, seen, total = time.time(), time.time(), 0, 0, torch.zeros((), device=device)
    order = None
    while True:
        done = (time.time() - began) / args.seconds
        if done >= 1:
            break
        if order is None or at + args.batch > len(order):
            order, at = torch.randperm(len(data), device=device), 0
        rate = args.rate * min(1, (step + 1) / args.warmup) * (0.5 + 0.5 * math.cos(math.pi * done))
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(fast, data.batch(order[at:at + args.batch]))
        (1000 * loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.detach()
        at, step, seen = at + args.batch, step + 1, seen + 1
        if step % 20 == 0:
            torch.cuda.synchronize() if device.type == "cuda" else None
        if time.time() - shown > args.report:
            held_loss, net_loss = evaluate(fast, held, args.batch)
            print(f"{done * 100:3.0f} %  step {step}  epoch {step * args.batch / len(data):.2f}  "
                  f"loss {float(total) / seen:.6f}  held out {held_loss:.6f} (net {net_loss:.6f})  "
                  f"{step * args.batch / (time.time() - began):.0f} positions/s", flush=True)
            save(model, args.out)
            shown, seen = time.time(), 0
            total.zero_()
    held_loss, net_loss = evaluate(fast, held, args.batch)
    save(model, args.out)
    print(f"{args.out}: {step} steps, {step * args.batch} positions, held out {held_loss:.6f}, "
          f"the net alone {net_loss:.6f}", flush=True)


@torch.no_grad()
def label_file(model, path, out, args, device):
    with open(path, "rb") as f:
        header = f.read(HEADER)
    records = read_records(path)
    scores = np.empty(len(records), dtype="<i2")
    for at in range(0, len(records), args.batch):
        part = records[at:at + args.batch]
        tokens = tokens_of(part, device).int()
        missing = args.batch - len(tokens)
        if missing:
            tokens = F.pad(tokens, (0, 0, 0, missing), value=NO_PIECE)
        with half_precision(device):
            difference = model(tokens)[:len(part)]
        value = torch.from_numpy(part["value"].astype(np.float32)).to(device)
        score = (value + SCALE * difference).clamp(-SCORE_LIMIT, SCORE_LIMIT).round()
        if args.blend:
            own = torch.from_numpy(part["score"].astype(np.float32)).to(device)
            score = (args.blend * own + (1 - args.blend) * score).round()
        scores[at:at + len(part)] = score.to(torch.int16).cpu().numpy()
    records["score"] = scores
    name = os.path.join(out, os.path.basename(path))
    with open(name + ".tmp", "wb") as f:
        f.write(header)
        records.tofile(f)
    os.replace(name + ".tmp", name)
    return len(records)


def label(args):
    device = torch.device(args.device)
    model = compiled(load_model(args.model, device), args)
    os.makedirs(args.out, exist_ok=True)
    began, count = time.time(), 0
    for path in files_of(args.data):
        if args.seconds and time.time() - began > args.seconds:
            print("out of time; the rest is not labelled", flush=True)
            break
        count += label_file(model, path, args.out, args, device)
        print(f"{count} positions, {count / (time.time() - began):.0f} a second", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    common.add_argument("--compile", action="store_true", help="use torch.compile")
    common.add_argument("--batch", type=int, default=4096)
    t = commands.add_parser("train", parents=[common], help="train a teacher for so many seconds")
    t.add_argument("--data", required=True, help="directory of positions, or one file")
    t.add_argument("--held-out", required=True)
    t.add_argument("--out", required=True, help="the teacher's file; written at each report")
    t.add_argument("--start", help="a teacher to start with")
    t.add_argument("--seconds", type=float, default=600)
    t.add_argument("--width", type=int, default=320, help="a multiple of 32")
    t.add_argument("--depth", type=int, default=8)
    t.add_argument("--rate", type=float, default=1e-3)
    t.add_argument("--warmup", type=int, default=400, help="steps")
    t.add_argument("--decay", type=float, default=0.02)
    t.add_argument("--seed", type=int, default=1)
    t.add_argument("--report", type=float, default=30, help="seconds between reports")
    t.add_argument("--max-positions", type=int, default=0)
    t.set_defaults(run=train)
    l = commands.add_parser("label", parents=[common], help="label positions")
    l.add_argument("--model", required=True)
    l.add_argument("--data", required=True)
    l.add_argument("--out", required=True, help="directory of the labelled files")
    l.add_argument("--blend", type=float, default=0, help="share of the score that a position already has")
    l.add_argument("--seconds", type=float, default=0, help="stop after the file that ends later than this")
    l.set_defaults(run=label)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
