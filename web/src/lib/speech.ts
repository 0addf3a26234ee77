// Moves and positions in words, for ears.
import { piecesOf, type BoardPiece, type Role } from './chess';
import { colorText } from './format';
import type { Color } from './protocol';
import { t } from './text';

const ROLES: Record<string, Role> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

export const roleText = (role: Role): string => t(`piece.${role}`, { n: 1 });

// Reads "Nbxd2+" as "knight b takes d 2, check". Letters and figures apart, or readers say "e4th".
export function sayMove(san: string): string {
  const end = san.endsWith('#') ? `, ${t('say.checkmate')}` : san.endsWith('+') ? `, ${t('say.check')}` : '';
  const bare = san.replace(/[+#!?]+$/, '');
  if (bare === 'O-O') return t('say.kingside') + end;
  if (bare === 'O-O-O') return t('say.queenside') + end;
  const words = [...bare].map((letter) => {
    const role = ROLES[letter];
    if (role) return roleText(role);
    return letter === 'x' ? t('say.takes') : letter === '=' ? t('say.becomes') : letter;
  });
  return words.join(' ') + end;
}

export const saySquare = (square: string): string => `${square[0]} ${square[1]}`;

// "white knight", in which many languages bend the adjective to the noun.
export const sayPiece = (piece: Pick<BoardPiece, 'color' | 'role'>): string => t(`piece.${piece.color}.${piece.role}`);

// A square and what is on it.
export const sayOn = (square: string, piece: BoardPiece | null | undefined): string =>
  `${saySquare(square)}, ${piece ? sayPiece(piece) : t('say.empty')}`;

const ORDER: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];

export function sayPieces(fen: string, color: Color): string {
  const pieces = piecesOf(fen).filter((piece) => piece.color === color);
  const groups = ORDER.map((role) => {
    const squares = pieces.filter((piece) => piece.role === role).map((piece) => saySquare(piece.square));
    return squares.length ? `${t(`piece.${role}`, { n: squares.length })} ${squares.sort().join(', ')}` : '';
  });
  return groups.filter(Boolean).join('; ') || t('say.noPieces');
}

// One rank or file: "Rank 1: white rook a 1, ...".
export function sayLine(fen: string, line: string): string {
  const pieces = piecesOf(fen).filter((piece) => piece.square.includes(line));
  const words = pieces
    .sort((one, two) => (one.square < two.square ? -1 : 1))
    .map((piece) => `${sayPiece(piece)} ${saySquare(piece.square)}`);
  const name = t(/[a-h]/.test(line) ? 'say.file' : 'say.rank', { line });
  return `${name}: ${words.join(', ') || t('say.empty')}`;
}

export const saySides = (fen: string): string =>
  (['white', 'black'] as const).map((color) => `${colorText(color)}: ${sayPieces(fen, color)}.`).join(' ');

export function sayClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const words = [];
  if (minutes) words.push(t('minutes', { n: minutes }));
  if (rest || !minutes) words.push(t('seconds', { n: rest }));
  return words.join(' ');
}
