// What the page needs to know of chess to show it. The server's word on what is legal is final.
import { Chess } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { parseFen } from 'chessops/fen';
import { parseSan } from 'chessops/san';
import { makeSquare, makeUci, parseUci } from 'chessops/util';
import type { Position } from 'chessops/chess';
import type { Color, Dests, LastMove } from './protocol';

export const START_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
export const EMPTY_FEN = '8/8/8/8/8/8/8/8 w - - 0 1';

export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';
export const ROLE_OF: Record<string, Role> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

export interface BoardPiece {
  square: string;
  role: Role;
  color: Color;
}

export const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');
export const turnOf = (fen: string): Color => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

// The pieces of a FEN's board, from a8 to h1.
export function piecesOf(fen: string): BoardPiece[] {
  const pieces: BoardPiece[] = [];
  const ranks = (fen.split(' ')[0] ?? '').split('/');
  ranks.forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') {
        file += Number(letter);
        continue;
      }
      const role = ROLE_OF[letter.toLowerCase()];
      if (role && file < 8) {
        const square = 'abcdefgh'[file]! + String(8 - down);
        pieces.push({ square, role, color: letter === letter.toLowerCase() ? 'black' : 'white' });
      }
      file++;
    }
  });
  return pieces;
}

export const pieceOn = (fen: string, square: string): BoardPiece | undefined =>
  piecesOf(fen).find((piece) => piece.square === square);

export function positionOf(fen: string): Position | null {
  return parseFen(fen).unwrap(
    (setup) =>
      Chess.fromSetup(setup).unwrap(
        (position) => position,
        () => null,
      ),
    () => null,
  );
}

// Where the pieces can go as far as the page knows; for the moment until the server has said it.
export function guessMoves(fen: string, chess960: boolean): { dests: Dests; promotions: string[] } {
  const position = positionOf(fen);
  const dests: Dests = {};
  const promotions: string[] = [];
  if (!position) return { dests, promotions };
  for (const [from, all] of chessgroundDests(position, { chess960 })) {
    dests[from] = all;
    if (pieceOn(fen, from)?.role === 'pawn') {
      promotions.push(...all.filter((to) => to[1] === '8' || to[1] === '1').map((to) => from + to));
    }
  }
  return { dests, promotions };
}

// A move as people write it (Nf3, exd5, O-O, e8=Q, g1f3), in the spelling of `dests`.
export function readMove(text: string, fen: string, dests: Dests): string | null {
  const clean = text
    .trim()
    .replace(/[+#!?]+$/, '')
    .replace(/^0-0-0$|^ooo$/i, 'O-O-O')
    .replace(/^0-0$|^oo$/i, 'O-O');
  const plain = clean.toLowerCase();
  if (/^[a-h][1-8][a-h][1-8][qrbn]?$/.test(plain)) {
    return dests[plain.slice(0, 2)]?.includes(plain.slice(2, 4)) ? plain : null;
  }
  const position = positionOf(fen);
  if (!position) return null;
  const spellings = [clean, clean.replace(/^[nrqko]/, (letter) => letter.toUpperCase())];
  if (/^b[a-h1-8x]*[a-h][1-8]$/.test(clean)) spellings.push('B' + clean.slice(1));
  for (const spelling of spellings) {
    const move = parseSan(position, spelling.replace(/=?([qrbn])$/i, (_, p: string) => '=' + p.toUpperCase()));
    const plainMove = move ?? parseSan(position, spelling);
    if (plainMove) {
      const uci = makeUci(plainMove);
      if (dests[uci.slice(0, 2)]?.includes(uci.slice(2, 4))) return uci;
    }
  }
  return null;
}

// From and to of a move on the board; castling that takes the own rook ends where the king ends.
export function squaresOf(uci: string, fenBefore?: string): LastMove {
  const from = uci.slice(0, 2);
  const to = uci.slice(2, 4);
  if (!fenBefore) return { from, to };
  const king = pieceOn(fenBefore, from);
  const rook = pieceOn(fenBefore, to);
  if (king?.role === 'king' && rook?.role === 'rook' && rook.color === king.color) {
    return { from, to: (to > from ? 'g' : 'c') + from[1]! };
  }
  return { from, to };
}

// The FENs after each move of a line that begins at `fen`; it ends where the line is not chess.
export function playLine(fen: string, line: { uci: string }[]): string[] {
  return walk(fen, line.map((step) => step.uci));
}

function walk(fen: string, ucis: string[]): string[] {
  const fens: string[] = [];
  const position = positionOf(fen);
  if (!position) return fens;
  for (const uci of ucis) {
    const move = parseUci(uci);
    if (!move || !position.isLegal(move)) break;
    position.play(move);
    fens.push(boardFen(position));
  }
  return fens;
}

function boardFen(position: Position): string {
  let text = '';
  for (let rank = 7; rank >= 0; rank--) {
    let empty = 0;
    for (let file = 0; file < 8; file++) {
      const piece = position.board.get(rank * 8 + file);
      if (!piece) {
        empty++;
        continue;
      }
      if (empty) text += empty;
      empty = 0;
      const letter = piece.role === 'knight' ? 'n' : piece.role[0]!;
      text += piece.color === 'white' ? letter.toUpperCase() : letter;
    }
    if (empty) text += empty;
    if (rank) text += '/';
  }
  return `${text} ${position.turn === 'white' ? 'w' : 'b'} - - 0 1`;
}

export function kingOf(fen: string, color: Color): string | null {
  return piecesOf(fen).find((piece) => piece.role === 'king' && piece.color === color)?.square ?? null;
}

// The king's square when the side to move is in check.
export function inCheck(fen: string): boolean {
  return positionOf(fen)?.isCheck() ?? false;
}

export const squareName = makeSquare;
