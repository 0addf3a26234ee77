// The moves of an analysis: a tree whose first children are the main line.
import type { Game, Played, ReadMove } from './protocol';

export interface Node {
  id: number;
  move: Played | null; // null: the root
  parent: Node | null;
  children: Node[];
  comment?: string;
  nags?: number[];
  shapes?: Shape[]; // arrows and circles the player has drawn
  commands?: string; // of the comment, such as "[%clk 0:03:05]"
}

export interface Shape {
  orig: string;
  dest?: string;
  brush: string;
}

export interface Tree {
  root: Node;
  startFen: string;
  chess960: boolean;
  tags: Record<string, string>;
  result: string;
}

let nextId = 1;

export function createTree(startFen: string, chess960 = false): Tree {
  return {
    root: { id: nextId++, move: null, parent: null, children: [] },
    startFen,
    chess960,
    tags: {},
    result: '*',
  };
}

export function addMove(node: Node, move: Played): Node {
  const known = node.children.find((child) => child.move!.uci === move.uci);
  if (known) return known;
  const child: Node = { id: nextId++, move, parent: node, children: [] };
  node.children.push(child);
  return child;
}

const BRUSHES: Record<string, string> = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' };
const LETTERS: Record<string, string> = { green: 'G', red: 'R', yellow: 'Y', blue: 'B' };

// Takes a PGN comment apart: arrows and circles, other commands, and the text.
export function takeComment(node: Node, comment: string): void {
  const shapes: Shape[] = [];
  const commands: string[] = [];
  const text = comment.replace(/\[%(\w+)\s+([^\]]*)\]/g, (all, name: string, value: string) => {
    if (name !== 'csl' && name !== 'cal') commands.push(all);
    else {
      for (const item of value.split(',')) {
        const found = /^\s*([GRYB])([a-h][1-8])([a-h][1-8])?\s*$/.exec(item);
        if (found) shapes.push({ orig: found[2]!, ...(found[3] ? { dest: found[3] } : {}), brush: BRUSHES[found[1]!]! });
      }
    }
    return ' ';
  });
  node.comment = text.replace(/\s+/g, ' ').trim() || undefined;
  node.shapes = shapes.length ? shapes : undefined;
  node.commands = commands.join(' ') || undefined;
}

// The inverse of takeComment.
export function commentOf(node: Node): string {
  const drawn = (name: string, arrows: boolean) => {
    const items = (node.shapes ?? [])
      .filter((shape) => LETTERS[shape.brush] && Boolean(shape.dest) === arrows)
      .map((shape) => LETTERS[shape.brush]! + shape.orig + (shape.dest ?? ''));
    return items.length ? `[%${name} ${items.join(',')}]` : '';
  };
  return [drawn('csl', false), drawn('cal', true), node.commands, node.comment].filter(Boolean).join(' ');
}

// A line with its variations; the node where it ends.
export function addLine(from: Node, moves: ReadMove[]): Node {
  return moves.reduce((at, { uci, san, fen, comment, nags, variations }) => {
    const next = addMove(at, { uci, san, fen });
    if (comment) takeComment(next, comment);
    if (nags?.length) next.nags = nags;
    for (const variation of variations ?? []) addLine(at, variation);
    return next;
  }, from);
}

// The inverse of addLine: what follows a node, with its variations.
export function lineOf(node: Node): ReadMove[] {
  const line: ReadMove[] = [];
  const entry = (at: Node): ReadMove => {
    const comment = commentOf(at);
    return { ...at.move!, ...(comment ? { comment } : {}), ...(at.nags?.length ? { nags: at.nags } : {}) };
  };
  for (let at = node; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children;
    const variations = others.map((one) => [entry(one), ...lineOf(one)]);
    line.push({ ...entry(main!), ...(variations.length ? { variations } : {}) });
  }
  return line;
}

// How many moves a node and everything after it have.
export const sizeOf = (node: Node): number => node.children.reduce((sum, child) => sum + sizeOf(child), 1);

// A tree as it is stored, and as undo remembers it.
export interface KeptTree {
  fen: string;
  chess960: boolean;
  tags: Record<string, string>;
  result: string;
  comment?: string;
  moves: ReadMove[];
}

export function keepTree(tree: Tree): KeptTree {
  const { startFen: fen, chess960, tags, result, root } = tree;
  return { fen, chess960, tags: { ...tags }, result, comment: commentOf(root), moves: lineOf(root) };
}

export function restoreTree(kept: KeptTree): Tree {
  const tree = createTree(kept.fen, kept.chess960);
  tree.tags = kept.tags;
  tree.result = kept.result;
  if (kept.comment) takeComment(tree.root, kept.comment);
  addLine(tree.root, kept.moves);
  return tree;
}

// Where a node is: which child at each step from the root.
export function placeOf(node: Node): number[] {
  const place: number[] = [];
  for (let at = node; at.parent; at = at.parent) place.unshift(at.parent.children.indexOf(at));
  return place;
}

export const nodeAt = (tree: Tree, place: number[]): Node =>
  place.reduce<Node>((at, index) => at.children[index] ?? at, tree.root);

export function pathOf(node: Node): Played[] {
  const path: Played[] = [];
  for (let at: Node | null = node; at?.move; at = at.parent) path.unshift(at.move);
  return path;
}

export const plyOf = (node: Node): number => pathOf(node).length;

export function lastOf(node: Node): Node {
  let at = node;
  while (at.children[0]) at = at.children[0];
  return at;
}

export function removeNode(node: Node): Node {
  const parent = node.parent!;
  parent.children = parent.children.filter((child) => child !== node);
  return parent;
}

// Makes the line to this node the main line.
export function promoteNode(node: Node): void {
  for (let at: Node | null = node; at?.parent; at = at.parent) {
    const { parent } = at;
    parent.children = [at, ...parent.children.filter((child) => child !== at)];
  }
}

function numberText(startFen: string, ply: number, always: boolean): string {
  const parts = startFen.split(' ');
  const half = ply + (parts[1] === 'b' ? 1 : 0);
  const number = (Number(parts[5]) || 1) + Math.floor(half / 2);
  if (half % 2 === 0) return `${number}. `;
  return always ? `${number}... ` : '';
}

// A move with its NAGs and comment, as PGN writes them.
function moveText(node: Node): string {
  const nags = (node.nags ?? []).map((nag) => ` $${nag}`).join('');
  const text = commentOf(node).replace(/[{}]/g, '');
  const comment = text ? ` {${text}}` : '';
  return node.move!.san + nags + comment;
}

function movesText(node: Node, startFen: string, ply: number, numbered: boolean): string {
  const [first, ...others] = node.children;
  if (!first) return '';
  let text = numberText(startFen, ply, numbered) + moveText(first);
  for (const variation of others) {
    const begin = numberText(startFen, ply, true) + moveText(variation);
    const rest = movesText(variation, startFen, ply + 1, Boolean(commentOf(variation)));
    text += ` (${begin}${rest ? ` ${rest}` : ''})`;
  }
  const rest = movesText(first, startFen, ply + 1, others.length > 0 || Boolean(commentOf(first)));
  return rest ? `${text} ${rest}` : text;
}

const ROSTER = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'];
const escapeTag = (value: string): string => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"');

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  // A command such as [%clk 0:05:00] stays in one piece.
  for (const word of text.split(/ (?![^[\]]*\])/)) {
    if (line && line.length + word.length + 1 > 80) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join('\n');
}

export function treePgn(tree: Tree, standardFen: string): string {
  const tags: Record<string, string> = { ...tree.tags, Result: tree.result };
  if (tree.chess960) tags.Variant = 'Chess960';
  if (tree.startFen !== standardFen) Object.assign(tags, { SetUp: '1', FEN: tree.startFen });
  const names = [...ROSTER, ...Object.keys(tags).filter((name) => !ROSTER.includes(name))];
  const head = names.map((name) => {
    const fallback = name === 'Date' ? '????.??.??' : '?';
    return `[${name} "${escapeTag(tags[name] ?? fallback)}"]`;
  });
  const intro = commentOf(tree.root).replace(/[{}]/g, '');
  const moves = (intro ? `{${intro}} ` : '') + movesText(tree.root, tree.startFen, 0, true);
  return `${head.join('\n')}\n\n${wrap(`${moves} ${tree.result}`.trim())}\n`;
}

export function treeOfGame(game: Game): Tree {
  const tree = createTree(game.start_fen, game.variant === 'chess960');
  tree.tags = { White: game.white.title, Black: game.black.title, Date: game.date ?? pgnDate(game.created) };
  tree.result = game.result?.score ?? '*';
  let at = tree.root;
  for (const { uci, san, fen } of game.moves) at = addMove(at, { uci, san, fen });
  return tree;
}

function pgnDate(at: number): string {
  const day = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}.${two(day.getMonth() + 1)}.${two(day.getDate())}`;
}
