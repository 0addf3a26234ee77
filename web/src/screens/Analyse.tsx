// The analysis board: any position, any game, with the engine's lines.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, tell, tellError } from '../lib/announce';
import { guessMoves, inCheck, squaresOf, START_FEN, turnOf } from '../lib/chess';
import { chances, countText, plural, scoreText, scoreWords } from '../lib/format';
import { ask, hear, link, session } from '../lib/net';
import type { Analysis, BoardState, ReadMove } from '../lib/protocol';
import { go, route } from '../lib/router';
import { settings } from '../lib/settings';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { useStore } from '../lib/use';
import {
  addLine,
  addMove,
  createTree,
  lastOf,
  lineOf,
  pathOf,
  plyOf,
  promoteNode,
  removeNode,
  restoreNode,
  sizeOf,
  treePgn,
  type Node,
  type Tree,
} from '../lib/tree';
import { Board } from '../parts/Board';
import { Confirm, CopyField, Dialog, IconButton, Switch, useKeys, useTitle } from '../parts/common';
import { Editor } from '../parts/Editor';
import { EvaluationBar } from '../parts/EvaluationBar';
import { numberAt, Stepper } from '../parts/MoveList';
import { SpokenPosition, TypedMove } from '../parts/TypedMove';

const KEY = 'castellan.analysis.tree';
const SHOWN_MOVES = 12;
const CONFIRMED_SIZE = 20; // moves that Delete removes without asking

// The analysis survives a reload, with its variations, comments and tags.
function restore(): Tree {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as {
      fen: string;
      chess960: boolean;
      tags: Record<string, string>;
      result: string;
      moves: ReadMove[];
    } | null;
    if (kept) {
      const tree = createTree(kept.fen, kept.chess960);
      tree.tags = kept.tags;
      tree.result = kept.result;
      addLine(tree.root, kept.moves);
      return tree;
    }
  } catch {
    // Without storage, or with a damaged entry, the analysis begins with the start position.
  }
  return createTree(START_FEN);
}

function keep(tree: Tree): void {
  try {
    const { startFen: fen, chess960, tags, result } = tree;
    sessionStorage.setItem(KEY, JSON.stringify({ fen, chess960, tags, result, moves: lineOf(tree.root) }));
  } catch {
    // Without storage the analysis lasts as long as the page.
  }
}

export function AnalyseScreen() {
  useTitle('Analyse');
  const { query } = useStore(route);
  const [tree, setTree] = useState<Tree>(restore);
  const [node, setNode] = useState<Node>(() => lastOf(tree.root));
  const [editing, setEditing] = useState<string | null>(null);
  const { state } = useStore(link);

  const openTree = (next: Tree, at?: Node) => {
    setTree(next);
    setNode(at ?? next.root);
    setEditing(null);
    keep(next);
  };

  const asked = query.toString();
  useEffect(() => {
    if (state !== 'open') return;
    const fen = query.get('fen');
    const game = Number(query.get('game'));
    if (query.get('edit')) setEditing(fen ?? START_FEN);
    else if (fen) {
      // An address can contain anything: the server checks the position before it is shown and stored.
      ask('position', { fen }).then(
        ({ board }) => openTree(createTree(board.start_fen, board.variant === 'chess960')),
        (why) => {
          tellError(why);
          history.replaceState(history.state, '', '#/analyse');
        },
      );
    }
    else if (game) {
      ask('game.open', { game }).then(({ game: found }) => {
        ask('game.close', { game }).catch(() => undefined);
        const next = createTree(found.start_fen, found.variant === 'chess960');
        next.tags = { White: found.white.title, Black: found.black.title, Date: found.date ?? pgnDate(found.created) };
        next.result = found.result?.score ?? '*';
        const end = found.moves.reduce<Node>((at, { uci, san, fen: after }) => addMove(at, { uci, san, fen: after }), next.root);
        let at = end;
        const ply = query.get('ply');
        if (ply !== null) while (at.parent && plyOf(at) > Number(ply)) at = at.parent;
        openTree(next, at);
      }, tellError);
    }
  }, [asked, state]);

  if (editing !== null) {
    return (
      <Editor
        fen={editing}
        onCancel={() => setEditing(null)}
        onDone={(fen, chess960) => openTree(createTree(fen, chess960))}
        onPlay={(fen) => go(`play?fen=${encodeURIComponent(fen)}`)}
      />
    );
  }
  return (
    <Analysing
      tree={tree}
      node={node}
      setNode={(next) => {
        setNode(next);
        keep(tree);
      }}
      openTree={openTree}
      edit={() => setEditing(node.move?.fen ?? tree.startFen)}
    />
  );
}

function pgnDate(at: number): string {
  const day = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}.${two(day.getMonth() + 1)}.${two(day.getDate())}`;
}

function useAnalysis(tree: Tree, node: Node, on: boolean, lines: number) {
  const { state } = useStore(link);
  const [board, setBoard] = useState<BoardState | null>(null);
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const key = useRef(-1);

  useEffect(() => {
    if (state !== 'open') return;
    return hear('analysis', (next) => {
      if (next.key === key.current) setAnalysis(next);
    });
  }, [state]);

  useEffect(() => {
    if (state !== 'open') return;
    let stale = false;
    const where = {
      fen: tree.startFen,
      ...(tree.chess960 ? { chess960: true } : {}),
      moves: pathOf(node).map((move) => move.uci),
    };
    key.current = -1;
    // Stepping quickly through a game sends one request, at the end.
    const timer = setTimeout(async () => {
      try {
        if (!on) {
          void ask('analysis.stop', {}).catch(() => undefined);
          const answer = await ask('position', where);
          if (!stale) setBoard(answer.board);
          return;
        }
        const answer = await ask('analysis.start', { ...where, lines });
        if (stale) return;
        key.current = answer.key;
        setBoard(answer.board);
      } catch (why) {
        if (!stale) tellError(why);
      }
    }, 60);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [tree, node, on, lines, state]);

  useEffect(
    () => () => {
      if (link.get().state === 'open') ask('analysis.stop', {}).catch(() => undefined);
    },
    [],
  );
  // Lines of another position must not be shown.
  useEffect(() => setAnalysis(null), [tree, node]);
  return { board, analysis };
}

function Analysing(props: {
  tree: Tree;
  node: Node;
  setNode: (node: Node) => void;
  openTree: (tree: Tree, at?: Node) => void;
  edit: () => void;
}) {
  const { tree, node, setNode } = props;
  const { reader } = useStore(settings);
  const hello = useStore(session);
  const [on, setOn] = useState(true);
  const [lines, setLines] = useState(3);
  const [flipped, setFlipped] = useState(false);
  const [version, setVersion] = useState(0);
  const [dialog, setDialog] = useState<'in' | 'out' | 'delete' | null>(null);
  const [deleted, setDeleted] = useState<{ node: Node; index: number } | null>(null);
  const { board, analysis } = useAnalysis(tree, node, on, lines);

  const fen = node.move?.fen ?? tree.startFen;
  const fits = board !== null && sameBoard(board.fen, fen);
  const turn = turnOf(fen);
  const { dests, promotions } = fits ? board : guessMoves(fen, tree.chess960);

  const playMoves = async (ucis: string[]) => {
    try {
      const path = pathOf(node).map((move) => move.uci);
      const answer = await ask('position', {
        fen: tree.startFen,
        ...(tree.chess960 ? { chess960: true } : {}),
        moves: [...path, ...ucis],
      });
      let at = node;
      for (const { uci, san, fen: after } of answer.board.moves.slice(path.length)) at = addMove(at, { uci, san, fen: after });
      play(soundOfMove(at.move!.san));
      announce(sayMove(at.move!.san));
      setNode(at);
    } catch (why) {
      setVersion((count) => count + 1);
      tellError(why);
    }
  };
  const remove = () => {
    setDeleted({ node, index: node.parent!.children.indexOf(node) });
    setNode(removeNode(node));
    tell('Deleted. Undo restores it.');
  };
  const undo = () => {
    if (!deleted) return;
    restoreNode(deleted.node, deleted.index);
    setNode(deleted.node);
    setDeleted(null);
  };
  useEffect(() => setDeleted(null), [tree]);
  const annotate = (comment: string) => {
    node.comment = comment;
    setNode(node);
    setVersion((count) => count + 1);
  };
  const step = (to: Node | null | undefined) => {
    if (!to || to === node) return;
    setNode(to);
    announce(to.move ? sayMove(to.move.san) : 'Start position');
  };

  useKeys({
    ArrowLeft: () => step(node.parent),
    ArrowRight: () => step(node.children[0]),
    Home: () => step(tree.root),
    End: () => step(lastOf(node)),
    f: () => setFlipped(!flipped),
    ' ': () => analysis?.lines[0]?.moves[0] && void playMoves([analysis.lines[0].moves[0].uci]),
    e: () => setOn(!on),
    Delete: () => node.parent && (sizeOf(node) > CONFIRMED_SIZE ? setDialog('delete') : remove()),
    z: undo,
    '/': () => document.getElementById('typed-move')?.focus(),
  });

  const shapes: DrawShape[] = (analysis?.lines ?? []).slice(0, 3).flatMap((line, i) => {
    const first = line.moves[0];
    if (!first) return [];
    return [{ orig: first.uci.slice(0, 2) as Key, dest: first.uci.slice(2, 4) as Key, brush: ['best', 'next', 'later'][i]! }];
  });
  const before = node.parent?.move?.fen ?? tree.startFen;
  const ply = plyOf(node);
  const end = lastOf(node);
  const best = analysis?.lines[0];
  const white = useChances(analysis, fits ? board.end : null);
  return (
    <div class="stage analyse">
      <h1 class="unseen">Analysis board</h1>
      <div class="table">
        <div class="board-row">
          <EvaluationBar white={white} bottom={flipped ? 'black' : 'white'} />
          <Board
            label="Analysis board"
            fen={fen}
            orientation={flipped ? 'black' : 'white'}
            turn={turn}
            movable="both"
            dests={dests}
            promotions={promotions}
            last={node.move ? squaresOf(node.move.uci, before) : null}
            check={inCheck(fen)}
            shapes={on ? shapes : []}
            version={version}
            onMove={(uci) => void playMoves([uci])}
          />
        </div>
        <div class="board-foot">
          <span class="opening">
            {fits && board.opening ? (
              <>
                <b>{board.opening.eco}</b> {board.opening.name}
              </>
            ) : (
              ''
            )}
          </span>
          <span class="tablebase">{fits ? endWords(board) : ''}</span>
        </div>
      </div>
      <aside class="panel">
        <section class="engine" aria-label="Engine">
          <div class="engine-head">
            <b class="engine-score" title={best ? scoreWords(best.score) : ''}>
              {on && best ? scoreText(best.score) : '–'}
            </b>
            <span class="engine-facts" role="status" aria-live="off">
              {!on
                ? 'Engine off'
                : fits && board.end
                  ? 'game over'
                  : analysis
                  ? `depth ${analysis.depth}/${analysis.seldepth} · ${countText(analysis.nodes)} nodes · ${countText(analysis.nps)}/s`
                  : 'thinking'}
            </span>
            <label class="lines-field">
              <span class="unseen">Lines</span>
              <select value={String(lines)} onChange={(event) => setLines(Number(event.currentTarget.value))}>
                {Array.from({ length: hello?.limits.lines ?? 5 }, (_, i) => (
                  <option key={i} value={String(i + 1)}>
                    {plural(i + 1, 'line')}
                  </option>
                ))}
              </select>
            </label>
            <Switch label="Engine" value={on} onChange={setOn} />
          </div>
          <ol class={`engine-lines lines-${lines}`}>
            {Array.from({ length: lines }, (_, i) => {
              const line = on ? analysis?.lines[i] : undefined;
              return (
                <li key={i}>
                  {line && (
                    <>
                      <b>{scoreText(line.score)}</b>
                      <span class="engine-moves">
                        {line.moves.slice(0, SHOWN_MOVES).map((move, at) => (
                          <button
                            key={at}
                            type="button"
                            class="move"
                            onClick={() => void playMoves(line.moves.slice(0, at + 1).map((one) => one.uci))}
                          >
                            {moveNumber(tree.startFen, ply + at, at === 0)}
                            {move.san}
                          </button>
                        ))}
                      </span>
                    </>
                  )}
                </li>
              );
            })}
          </ol>
        </section>
        <TreeView tree={tree} node={node} onPick={step} />
        {node.move && (
          <details class="annotate" open={Boolean(node.comment)}>
            <summary>Comment on {node.move.san}</summary>
            <textarea
              key={node.id}
              rows={2}
              aria-label={`Comment on ${node.move.san}`}
              value={node.comment ?? ''}
              onChange={(event) => annotate(event.currentTarget.value.trim())}
            />
          </details>
        )}
        <Stepper
          current={ply}
          last={plyOf(end)}
          onPick={(to) => step(to === 0 ? tree.root : to < ply ? node.parent : to === ply + 1 ? node.children[0] : end)}
        />
        <TypedMove
          fen={fen}
          turn={turn}
          dests={dests}
          promotions={promotions}
          enabled
          lastSan={node.move?.san}
          onMove={(uci) => void playMoves([uci])}
        />
        <div class="controls" role="group" aria-label="Analysis">
          <IconButton icon="flip" label="Flip" text onClick={() => setFlipped(!flipped)} />
          <IconButton icon="edit" label="Edit board" text onClick={props.edit} />
          <IconButton icon="upload" label="Paste" text onClick={() => setDialog('in')} />
          <IconButton icon="download" label="Export" text onClick={() => setDialog('out')} />
          <IconButton icon="play" label="Play from here" text onClick={() => go(`play?fen=${encodeURIComponent(fen)}`)} />
          <IconButton icon="plus" label="New" text onClick={() => props.openTree(createTree(START_FEN))} />
          {node.parent && node.parent.children[0] !== node && (
            <IconButton
              icon="check"
              label="Promote line"
              text
              onClick={() => {
                promoteNode(node);
                props.openTree({ ...tree }, node);
              }}
            />
          )}
          {node.parent && (
            <IconButton
              icon="trash"
              label="Delete"
              text
              onClick={() => (sizeOf(node) > CONFIRMED_SIZE ? setDialog('delete') : remove())}
            />
          )}
          {deleted && <IconButton icon="undo" label="Undo" text onClick={undo} />}
        </div>
        {reader && <SpokenPosition fen={fen} turn={turn} />}
      </aside>
      {dialog === 'delete' && (
        <Confirm
          title="Delete this line?"
          text={`${plural(sizeOf(node), 'move')} will be deleted.`}
          yes="Delete"
          onYes={remove}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'in' && <PasteDialog close={() => setDialog(null)} openTree={props.openTree} />}
      {dialog === 'out' && <ExportDialog tree={tree} fen={fen} close={() => setDialog(null)} />}
    </div>
  );
}

const sameBoard = (one: string, two: string): boolean =>
  one.split(' ').slice(0, 2).join() === two.split(' ').slice(0, 2).join();

function moveNumber(startFen: string, ply: number, first: boolean): string {
  const at = numberAt(startFen, ply);
  return at.black ? (first ? `${at.number}… ` : '') : `${at.number}. `;
}

function endWords(board: BoardState): string {
  if (board.end) return board.end.text;
  const { tablebase } = board;
  if (!tablebase) return board.claim ? `Draw can be claimed: ${board.claim}.` : '';
  const moves = tablebase.dtz === null ? '' : `, ${plural(Math.abs(tablebase.dtz), 'ply', 'plies')} to zeroing`;
  return `Tablebase: ${tablebase.verdict} for ${board.turn}${tablebase.verdict === 'draw' ? '' : moves}`;
}

// White's chances in percent; while nothing is known yet, as before.
function useChances(analysis: Analysis | null, end: BoardState['end']): number {
  const best = analysis?.lines[0];
  const kept = useRef(50);
  if (end) kept.current = end.winner === null ? 50 : end.winner === 'white' ? 100 : 0;
  else if (best) kept.current = best.wdl ? (best.wdl[0] + best.wdl[1] / 2) / 10 : chances(best.score);
  return kept.current;
}

// The NAGs that have a sign of their own; others are shown by number.
const NAG_SIGNS: Record<number, string> = {
  1: '!',
  2: '?',
  3: '!!',
  4: '??',
  5: '!?',
  6: '?!',
  7: '□',
  10: ' =',
  13: ' ∞',
  14: ' ⩲',
  15: ' ⩱',
  16: ' ±',
  17: ' ∓',
  18: ' +−',
  19: ' −+',
};

// The main line with its variations in brackets.
function TreeView({ tree, node, onPick }: { tree: Tree; node: Node; onPick: (node: Node) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const mark = box.current?.querySelector<HTMLElement>('[aria-current]');
    if (mark) box.current!.scrollTo({ top: mark.offsetTop - box.current!.clientHeight / 2 });
  }, [node]);
  const button = (at: Node, ply: number, first: boolean) => (
    <button
      key={at.id}
      type="button"
      class="move"
      aria-current={at === node ? 'true' : undefined}
      onClick={() => onPick(at)}
    >
      <span class="number">{moveNumber(tree.startFen, ply, first)}</span>
      {at.move!.san}
      {(at.nags ?? []).map((nag) => NAG_SIGNS[nag] ?? ` $${nag}`).join('')}
    </button>
  );
  const comment = (at: Node) => (
    <span key={`c${at.id}`} class="tree-comment">
      {at.comment}
    </span>
  );
  const from = (parent: Node, ply: number, first: boolean): preact.ComponentChildren[] => {
    const shown: preact.ComponentChildren[] = [];
    let at: Node | undefined = parent;
    let numbered = first;
    for (; at; ply++) {
      const [main, ...others]: Node[] = at.children;
      if (!main) break;
      shown.push(button(main, ply, numbered));
      if (main.comment) shown.push(comment(main));
      for (const one of others) {
        shown.push(
          <span key={`v${one.id}`} class="variation">
            {button(one, ply, true)}
            {one.comment && comment(one)}
            {from(one, ply + 1, false)}
          </span>,
        );
      }
      numbered = others.length > 0 || Boolean(main.comment);
      at = main;
    }
    return shown;
  };
  return (
    <div class="tree" ref={box} role="group" aria-label="Moves">
      {tree.root.children.length ? from(tree.root, 0, true) : <p class="no-moves">Move a piece, or paste a game.</p>}
    </div>
  );
}

function PasteDialog({ close, openTree }: { close: () => void; openTree: (tree: Tree, at?: Node) => void }) {
  const [text, setText] = useState('');
  const [why, setWhy] = useState('');
  const open = async (event: Event) => {
    event.preventDefault();
    const pasted = text.trim();
    try {
      if (/^[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/.test(pasted)) {
        const { board } = await ask('position', { fen: pasted });
        openTree(createTree(board.start_fen, board.variant === 'chess960'));
      } else {
        const { games, errors } = await ask('pgn.read', { pgn: pasted });
        const game = games[0];
        if (!game) {
          setWhy(errors[0] ?? 'No game found in this text.');
          return;
        }
        const tree = createTree(game.start_fen, game.variant === 'chess960');
        tree.tags = game.tags;
        tree.result = game.result;
        const end = addLine(tree.root, game.moves);
        openTree(tree, end);
        if (games.length > 1) tell(`Showing the first of ${games.length} games. Import all of them under My games.`);
        else if (errors.length) tell(errors[0]!, true);
      }
      close();
    } catch (refused) {
      setWhy((refused as Error).message);
    }
  };
  return (
    <Dialog title="Paste a position or a game" onClose={close}>
      <form onSubmit={open}>
        <label class="field">
          <span>FEN or PGN</span>
          <textarea rows={10} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        {why && (
          <p class="bad" role="alert">
            {why}
          </p>
        )}
        <div class="buttons end">
          <button type="button" class="plain" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!text.trim()}>
            Open
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function ExportDialog({ tree, fen, close }: { tree: Tree; fen: string; close: () => void }) {
  const pgn = treePgn(tree, START_FEN);
  return (
    <Dialog title="Export" onClose={close}>
      <CopyField label="This position (FEN)" text={fen} rows={2} />
      <CopyField label="All moves (PGN)" text={pgn} rows={9} />
    </Dialog>
  );
}
