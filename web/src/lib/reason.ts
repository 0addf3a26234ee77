// Why a move was a mistake, in the page's language: the service sends a text with places, and what belongs there.
import type { Role } from './chess';
import { sanText, sentence } from './format';
import type { Explained, Reason } from './protocol';
import { fillService, t } from './text';

const NUMBERS = ['2', '3', '4'] as const;
const VALUED: Role[] = ['queen', 'rook', 'bishop', 'knight', 'pawn'];
const MOST_NAMED = 4;

const joined = (words: string[]): string =>
  words.length < 2 ? words.join('') : t('list', { words: words.slice(0, -1).join(', '), last: words[words.length - 1]! });

// "two pawns and a knight"
function piecesText(pieces: Role[]): string {
  const words = VALUED.map((role) => {
    const n = pieces.filter((one) => one === role).length;
    const number = NUMBERS.find((one) => Number(one) === n);
    return n ? t(`some.${role as Exclude<Role, 'king'>}`, { n, number: number ? t(`number.${number}`) : '' }) : '';
  });
  return joined(words.filter(Boolean));
}

// A rook for a knight or bishop has a name of its own; what takes too many words is just material.
function materialText({ gone, got }: Reason): string {
  if (gone.length === 1 && gone[0] === 'rook' && got.length === 1 && ['knight', 'bishop'].includes(got[0]!)) return t('exchange');
  if (!gone.length || gone.length + got.length > MOST_NAMED) return t('material');
  return got.length ? t('trade', { gone: piecesText(gone), got: piecesText(got) }) : piecesText(gone);
}

function oneReason(reason: Reason): string {
  const { piece, square, moves, line, move = '', threat = '' } = reason;
  const text = fillService(reason.text, {
    piece: piece ? t(`the.${piece}`, { square }) : '',
    material: materialText(reason),
    moves: String(moves),
    square,
    file: square.charAt(0),
    move: sanText(move),
    threat: sanText(threat),
  });
  return sentence(line ? `${text}: ${sanText(line)}` : text);
}

// Reviews that were stored before there were parts have the English words alone.
export function reasonText({ reasons, reason }: Explained): string {
  if (reasons) return reasons.map(oneReason).join(' ');
  return reason ? sentence(sanText(reason)) : '';
}
