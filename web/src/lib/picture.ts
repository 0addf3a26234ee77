// Pictures of positions and games, in the colours and with the pieces that the page shows.
import { piecesOf, type Role } from './chess';
import { makeGif, type Frame } from './gif';
import type { Color, LastMove } from './protocol';
import { t } from './text';

const ROLES: Role[] = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];
const MOVE_MS = 900;
const END_MS = 3000;

type Images = Map<string, HTMLImageElement>;

// The pieces are backgrounds of the style sheet; the picture of each is its address.
async function loadPieces(): Promise<Images> {
  const box = document.createElement('div');
  box.className = 'unseen';
  document.body.append(box);
  const images: Images = new Map();
  const waiting: Promise<void>[] = [];
  for (const color of ['white', 'black']) {
    for (const role of ROLES) {
      const piece = document.createElement('piece');
      piece.className = `${role} ${color}`;
      box.append(piece);
      const found = /url\("?(.*?)"?\)$/.exec(getComputedStyle(piece).backgroundImage);
      if (!found) continue;
      const image = new Image();
      waiting.push(
        new Promise((done) => {
          image.onload = () => done();
          image.onerror = () => done();
        }),
      );
      image.src = found[1]!.replace(/\\"/g, '"');
      images.set(`${role} ${color}`, image);
    }
  }
  await Promise.all(waiting);
  box.remove();
  return images;
}

interface Scene {
  fen: string;
  last: LastMove | null;
}

function draw(context: CanvasRenderingContext2D, size: number, scene: Scene, bottom: Color, images: Images): void {
  const style = getComputedStyle(document.documentElement);
  const square = size / 8;
  const place = (name: string): [number, number] => {
    const file = name.charCodeAt(0) - 97;
    const rank = Number(name[1]) - 1;
    return bottom === 'white' ? [file * square, (7 - rank) * square] : [(7 - file) * square, rank * square];
  };
  for (let i = 0; i < 64; i++) {
    const [file, down] = [i % 8, Math.floor(i / 8)];
    context.fillStyle = style.getPropertyValue((file + down) % 2 ? '--dark' : '--light').trim();
    context.fillRect(file * square, down * square, square, square);
  }
  context.fillStyle = style.getPropertyValue('--mark').trim();
  for (const name of scene.last ? [scene.last.from, scene.last.to] : []) context.fillRect(...place(name), square, square);
  for (const piece of piecesOf(scene.fen)) {
    const image = images.get(`${piece.role} ${piece.color}`);
    if (image) context.drawImage(image, ...place(piece.square), square, square);
  }
}

function makeCanvas(size: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  return canvas.getContext('2d', { willReadFrequently: true })!;
}

export async function positionPicture(scene: Scene, bottom: Color, size = 720): Promise<Blob> {
  const context = makeCanvas(size);
  draw(context, size, scene, bottom, await loadPieces());
  return new Promise((done, failed) =>
    context.canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error(t('picture.failed')))), 'image/png'),
  );
}

export async function gamePicture(scenes: Scene[], bottom: Color, size = 360): Promise<Blob> {
  const context = makeCanvas(size);
  const images = await loadPieces();
  const frames: Frame[] = scenes.map((scene, i) => {
    draw(context, size, scene, bottom, images);
    return { pixels: context.getImageData(0, 0, size, size).data, delay: i === scenes.length - 1 ? END_MS : MOVE_MS };
  });
  return new Blob([makeGif(size, size, frames) as BlobPart], { type: 'image/gif' });
}
