// A position or a game as text, from the clipboard or a dialog.
import { tell, tellError } from './announce';
import { ask } from './net';
import { go } from './router';
import { createStore } from './store';
import { t } from './text';
import { addLine, createTree, takeComment, type Node, type Tree } from './tree';

const FEN = /^[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/;

export const looksLikeFen = (text: string): boolean => FEN.test(text.trim());

// A tag pair, or a first move with its number: enough to take it for a game.
export const looksLikePgn = (text: string): boolean =>
  /^\s*\[\w+\s+"/.test(text) || /^\s*(\{[^}]*\}\s*)?1\.\s*(\.\.\s*)?[a-hKQRBNO]/.test(text);

// Throws an Error that says what is wrong with it.
export async function readPasted(text: string): Promise<{ tree: Tree; at: Node }> {
  const pasted = text.trim();
  if (looksLikeFen(pasted)) {
    const { board } = await ask('position', { fen: pasted });
    const tree = createTree(board.start_fen, board.variant === 'chess960');
    return { tree, at: tree.root };
  }
  const { games, errors } = await ask('pgn.read', { pgn: pasted });
  const game = games[0];
  if (!game) throw new Error(errors[0] ?? t('paste.nothing'));
  const tree = createTree(game.start_fen, game.variant === 'chess960');
  tree.tags = game.tags;
  tree.result = game.result;
  if (game.comment) takeComment(tree.root, game.comment);
  const at = addLine(tree.root, game.moves);
  if (games.length > 1) tell(t('paste.first', { n: games.length }));
  else if (errors.length) tell(errors[0]!, true);
  return { tree, at };
}

// What was pasted outside of a field, until the analysis board has taken it.
export const pasted = createStore<{ tree: Tree; at: Node } | null>(null);

export function listenForPaste(): void {
  document.addEventListener('paste', (event) => {
    const target = event.target as HTMLElement | null;
    const text = event.clipboardData?.getData('text') ?? '';
    if (target?.closest('input, textarea, dialog') || !(looksLikeFen(text) || looksLikePgn(text))) return;
    event.preventDefault();
    readPasted(text).then((found) => {
      pasted.set(found);
      go('analyse');
    }, tellError);
  });
}
