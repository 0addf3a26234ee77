// A reviewed game as an annotated tree: glyphs, reasons, evaluations, and the better lines as variations.
import { playLine, START_FEN } from './chess';
import { sanText, scoreText } from './format';
import type { Game, JudgedMove, ReviewResult, Score, Step } from './protocol';
import { reasonText } from './reason';
import { t } from './text';
import { addLine, createTree, type Node, type Tree } from './tree';

const NAGS: Partial<Record<string, number>> = { inaccuracy: 6, mistake: 2, blunder: 4, only: 7 };

// As PGN writes it: pawns of White, or #3.
function evalCommand(score: Score): string {
  if (score.mate === 0) return '';
  return score.mate !== undefined ? `[%eval #${score.mate}]` : `[%eval ${(score.cp / 100).toFixed(2)}]`;
}

function lineFrom(fen: string, line: Step[]): { uci: string; san: string; fen: string }[] {
  const fens = playLine(fen, line);
  return line.slice(0, fens.length).map((step, i) => ({ uci: step.uci, san: step.san, fen: fens[i]! }));
}

function commentOn(judged: JudgedMove): string {
  const words = [reasonText(judged)];
  if (judged.best && NAGS[judged.label ?? ''] && judged.label !== 'only') {
    const score = judged.best.score ? ` (${scoreText(judged.best.score)})` : '';
    words.push(t('review.better', { move: sanText(judged.best.san) + score }));
  }
  return words.filter(Boolean).join(' ');
}

export function reviewedTree(game: Game, result: ReviewResult): Tree {
  const tree = createTree(game.start_fen, game.variant === 'chess960');
  const date = game.date ?? new Date(game.created).toISOString().slice(0, 10).replace(/-/g, '.');
  tree.tags = { White: game.white.title, Black: game.black.title, Date: date, Annotator: 'Castellan' };
  if (result.opening) Object.assign(tree.tags, { ECO: result.opening.eco, Opening: result.opening.name });
  tree.result = game.result?.score ?? '*';
  let at: Node = tree.root;
  let fen = game.start_fen || START_FEN;
  game.moves.forEach((move, i) => {
    const judged = result.moves[i];
    const before = at;
    at = addLine(at, [{ uci: move.uci, san: move.san, fen: move.fen }]);
    if (judged) {
      const nag = NAGS[judged.label ?? ''];
      if (nag) at.nags = [nag];
      at.comment = commentOn(judged) || undefined;
      at.commands = evalCommand(judged.score) || undefined;
      if (nag && judged.label !== 'only' && judged.best) addLine(before, lineFrom(fen, judged.best.line));
    }
    fen = move.fen;
  });
  return tree;
}
