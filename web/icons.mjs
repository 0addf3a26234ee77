// The icon of static/assets/icon.svg as PNG files, which installing the site needs: its shapes are simple enough to be drawn here.
import { deflateSync } from 'node:zlib';

const GROUND = [0x1f, 0x6b, 0x5d];
const WALL = [0xf8, 0xf4, 0xea];
const SAMPLES = 4; // a pixel, in each direction

// In the units of the drawing, 32 by 32.
const TOWER = [
  [7, 6], [11.2, 6], [11.2, 9], [13.8, 9], [13.8, 6], [18.2, 6], [18.2, 9], [20.8, 9], [20.8, 6], [25, 6],
  [25, 13.2], [22.4, 15.5], [22.4, 22.1], [25, 24.4], [25, 27], [7, 27], [7, 24.4], [9.6, 22.1], [9.6, 15.5], [7, 13.2],
];
const SLOT = [[14.5, 20], [17.5, 20], [18.4, 24.4], [13.6, 24.4]];

function inside(points, x, y) {
  let odd = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[i];
    const [bx, by] = points[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}

function colorAt(x, y) {
  const hole = Math.hypot(x - 16, y - 17.5) < 2.9 || inside(SLOT, x, y);
  return inside(TOWER, x, y) && !hole ? WALL : GROUND;
}

function pixel(size, column, row) {
  const sum = [0, 0, 0];
  for (let i = 0; i < SAMPLES * SAMPLES; i++) {
    const x = column + ((i % SAMPLES) + 0.5) / SAMPLES;
    const y = row + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES;
    colorAt((x * 32) / size, (y * 32) / size).forEach((part, k) => (sum[k] += part));
  }
  return sum.map((part) => Math.round(part / SAMPLES / SAMPLES));
}

const CRC = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

// The square icon as the bytes of a PNG file, opaque to its corners: systems cut them as they like.
export function iconPng(size) {
  const rows = Buffer.alloc(size * (1 + 3 * size));
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      rows.set(pixel(size, column, row), row * (1 + 3 * size) + 1 + 3 * column);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits, RGB
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
