// Moves and positions in words, for ears.
import { piecesOf, type BoardPiece, type Role } from './chess';
import type { Color } from './protocol';

const NAMES: Record<string, string> = {
  K: 'king',
  Q: 'queen',
  R: 'rook',
  B: 'bishop',
  N: 'knight',
};

// Reads "Nbxd2+" as "knight b takes d 2, check". Letters and figures apart, or readers say "e4th".
export function sayMove(san: string): string {
  const end = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  const bare = san.replace(/[+#!?]+$/, '');
  if (bare === 'O-O') return 'castles kingside' + end;
  if (bare === 'O-O-O') return 'castles queenside' + end;
  const words: string[] = [];
  for (const letter of bare) {
    if (NAMES[letter]) words.push(NAMES[letter]!);
    else if (letter === 'x') words.push('takes');
    else if (letter === '=') words.push('becomes');
    else words.push(letter);
  }
  return words.join(' ') + end;
}

export const saySquare = (square: string): string => `${square[0]} ${square[1]}`;

export function sayPiece(piece: BoardPiece): string {
  return `${piece.color} ${piece.role}`;
}

const ORDER: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];

export function sayPieces(fen: string, color: Color): string {
  const pieces = piecesOf(fen).filter((piece) => piece.color === color);
  const groups = ORDER.map((role) => {
    const squares = pieces.filter((piece) => piece.role === role).map((piece) => saySquare(piece.square));
    if (!squares.length) return '';
    return `${role}${squares.length > 1 ? 's' : ''} ${squares.sort().join(', ')}`;
  });
  return groups.filter(Boolean).join('; ') || 'no pieces';
}

// One rank or file: "rank 1: white rook a 1, ...".
export function sayLine(fen: string, line: string): string {
  const pieces = piecesOf(fen).filter((piece) => piece.square.includes(line));
  const kind = /[a-h]/.test(line) ? 'File' : 'Rank';
  const words = pieces
    .sort((one, two) => (one.square < two.square ? -1 : 1))
    .map((piece) => `${sayPiece(piece)} ${saySquare(piece.square)}`);
  return `${kind} ${line}: ${words.join(', ') || 'empty'}`;
}

export function sayClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const words = [];
  if (minutes) words.push(`${minutes} minute${minutes === 1 ? '' : 's'}`);
  if (rest || !minutes) words.push(`${rest} second${rest === 1 ? '' : 's'}`);
  return words.join(' ');
}
