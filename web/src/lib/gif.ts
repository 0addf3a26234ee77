// Animated GIFs: frames of pixels in one palette, each but the first as the rectangle that has changed.

export interface Frame {
  pixels: Uint8ClampedArray; // RGBA
  delay: number; // ms
}

const bucketOf = (r: number, g: number, b: number): number => ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4);

// The 256 most frequent colours, in steps of 16, and which of them stands for each step.
function makePalette(frames: Frame[]): { colors: Uint8Array; indexOf: Uint8Array } {
  const sums = new Float64Array(4096 * 4);
  for (const { pixels } of frames) {
    for (let i = 0; i < pixels.length; i += 4) {
      const at = bucketOf(pixels[i]!, pixels[i + 1]!, pixels[i + 2]!) * 4;
      sums[at]! += pixels[i]!;
      sums[at + 1]! += pixels[i + 1]!;
      sums[at + 2]! += pixels[i + 2]!;
      sums[at + 3]! += 1;
    }
  }
  const used = Array.from({ length: 4096 }, (_, i) => i).filter((i) => sums[i * 4 + 3]! > 0);
  const chosen = used.sort((a, b) => sums[b * 4 + 3]! - sums[a * 4 + 3]!).slice(0, 256);
  const colors = new Uint8Array(256 * 3);
  chosen.forEach((bucket, i) => {
    for (let c = 0; c < 3; c++) colors[i * 3 + c] = Math.round(sums[bucket * 4 + c]! / sums[bucket * 4 + 3]!);
  });
  const indexOf = new Uint8Array(4096);
  for (let bucket = 0; bucket < 4096; bucket++) indexOf[bucket] = nearest(colors, chosen.length, bucket);
  return { colors, indexOf };
}

function nearest(colors: Uint8Array, count: number, bucket: number): number {
  const want = [(bucket >> 8) * 16 + 8, ((bucket >> 4) & 15) * 16 + 8, (bucket & 15) * 16 + 8];
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    let distance = 0;
    for (let c = 0; c < 3; c++) distance += (colors[i * 3 + c]! - want[c]!) ** 2;
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

class Bytes {
  private at = new Uint8Array(1 << 16);
  length = 0;
  byte(value: number): void {
    if (this.length === this.at.length) {
      const larger = new Uint8Array(2 * this.at.length);
      larger.set(this.at);
      this.at = larger;
    }
    this.at[this.length++] = value;
  }
  word(value: number): void {
    this.byte(value & 255);
    this.byte(value >> 8);
  }
  text(value: string): void {
    for (const letter of value) this.byte(letter.charCodeAt(0));
  }
  all(values: Uint8Array): void {
    for (const value of values) this.byte(value);
  }
  done(): Uint8Array {
    return this.at.slice(0, this.length);
  }
}

const MAX_CODE = 4095;

// LZW with codes of 9 to 12 bits, in blocks of at most 255 bytes.
function compress(out: Bytes, indexes: Uint8Array): void {
  const clear = 256;
  const packed = new Bytes();
  let bits = 0;
  let held = 0;
  let size = 9;
  let next = clear + 2;
  let known = new Map<number, number>();
  const put = (code: number) => {
    held |= code << bits;
    bits += size;
    while (bits >= 8) {
      packed.byte(held & 255);
      held >>>= 8;
      bits -= 8;
    }
  };
  put(clear);
  let prefix = indexes[0]!;
  for (let i = 1; i < indexes.length; i++) {
    const key = (prefix << 8) | indexes[i]!;
    const code = known.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    if (next > MAX_CODE) {
      put(clear);
      known = new Map();
      size = 9;
      next = clear + 2;
    } else {
      known.set(key, next);
      if (next === 1 << size && size < 12) size++;
      next++;
    }
    prefix = indexes[i]!;
  }
  put(prefix);
  put(clear + 1);
  if (bits > 0) packed.byte(held & 255);
  const bytes = packed.done();
  out.byte(8);
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.subarray(i, i + 255);
    out.byte(block.length);
    out.all(block);
  }
  out.byte(0);
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function changedBox(before: Uint8Array, after: Uint8Array, width: number): Box {
  const box: Box = { left: width, top: Infinity, right: 0, bottom: 0 };
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue;
    const x = i % width;
    const y = Math.floor(i / width);
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = y + 1;
  }
  return box.right ? box : { left: 0, top: 0, right: 1, bottom: 1 };
}

export function makeGif(width: number, height: number, frames: Frame[]): Uint8Array {
  const { colors, indexOf } = makePalette(frames);
  const out = new Bytes();
  out.text('GIF89a');
  out.word(width);
  out.word(height);
  out.all(new Uint8Array([0xf7, 0, 0]));
  out.all(colors);
  out.all(new Uint8Array([0x21, 0xff, 11]));
  out.text('NETSCAPE2.0');
  out.all(new Uint8Array([3, 1, 0, 0, 0]));
  let before: Uint8Array | null = null;
  for (const { pixels, delay } of frames) {
    const all = new Uint8Array(width * height);
    for (let i = 0; i < all.length; i++) all[i] = indexOf[bucketOf(pixels[4 * i]!, pixels[4 * i + 1]!, pixels[4 * i + 2]!)]!;
    const box: Box = before ? changedBox(before, all, width) : { left: 0, top: 0, right: width, bottom: height };
    const part = new Uint8Array((box.right - box.left) * (box.bottom - box.top));
    for (let y = box.top, at = 0; y < box.bottom; y++) {
      for (let x = box.left; x < box.right; x++) part[at++] = all[y * width + x]!;
    }
    out.all(new Uint8Array([0x21, 0xf9, 4, 4]));
    out.word(Math.round(delay / 10));
    out.all(new Uint8Array([0, 0, 0x2c]));
    for (const value of [box.left, box.top, box.right - box.left, box.bottom - box.top]) out.word(value);
    out.byte(0);
    compress(out, part);
    before = all;
  }
  out.byte(0x3b);
  return out.done();
}
