// The analysis board: any position, any game, with the engine's lines.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, tell, tellError } from '../lib/announce';
import { guessMoves, inCheck, playLine, squaresOf, START_FEN, turnOf } from '../lib/chess';
import { chances, claimText, colorText, resultText } from '../lib/format';
import { ask, link } from '../lib/net';
import { pasted } from '../lib/paste';
import type { Analysis, BoardState } from '../lib/protocol';
import { go, route } from '../lib/router';
import { settings } from '../lib/settings';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { t } from '../lib/text';
import {
  addMove,
  createTree,
  keepTree,
  lastOf,
  nodeAt,
  pathOf,
  placeOf,
  plyOf,
  promoteNode,
  removeNode,
  restoreTree,
  sizeOf,
  treeOfGame,
  type KeptTree,
  type Node,
  type Shape,
  type Tree,
} from '../lib/tree';
import { useStore } from '../lib/use';
import { useAnalysis } from '../lib/useAnalysis';
import { ExportDialog, PasteDialog, TagsDialog } from '../parts/AnalyseDialogs';
import { Annotate } from '../parts/Annotate';
import { Board } from '../parts/Board';
import { Confirm, IconButton, useKeys, useTitle } from '../parts/common';
import { Editor } from '../parts/Editor';
import { EngineBox, type Preview } from '../parts/EngineBox';
import { EvaluationBar } from '../parts/EvaluationBar';
import { Stepper } from '../parts/MoveList';
import { TreeView } from '../parts/TreeView';
import { SpokenPosition, TypedMove } from '../parts/TypedMove';

const KEY = 'castellan.analysis.tree';
const CONFIRMED_SIZE = 20; // moves that Delete removes without asking
const UNDO_STEPS = 50;

interface Kept {
  tree: KeptTree;
  place: number[];
}

// The analysis survives a reload; another window begins with the one that was changed last.
function restore(): { tree: Tree; node: Node } {
  try {
    const text = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
    const kept = JSON.parse(text ?? 'null') as Kept | null;
    if (kept) {
      const tree = restoreTree(kept.tree);
      return { tree, node: nodeAt(tree, kept.place) };
    }
  } catch {
    // Without storage, or with a damaged entry, the analysis begins with the start position.
  }
  const tree = createTree(START_FEN);
  return { tree, node: tree.root };
}

const keptOf = (tree: Tree, node: Node): Kept => ({ tree: keepTree(tree), place: placeOf(node) });

function keep(kept: Kept): void {
  try {
    const text = JSON.stringify(kept);
    sessionStorage.setItem(KEY, text);
    localStorage.setItem(KEY, text);
  } catch {
    // Without storage the analysis lasts as long as the page.
  }
}

export function AnalyseScreen() {
  useTitle(t('nav.analyse'));
  const { query } = useStore(route);
  const [first] = useState(restore);
  const [tree, setTree] = useState<Tree>(first.tree);
  const [node, setNode] = useState<Node>(first.node);
  const [editing, setEditing] = useState<string | null>(null);
  const [past, setPast] = useState<Kept[]>([]);
  const { state } = useStore(link);
  const clipped = useStore(pasted);

  const show = (next: Tree, at: Node) => {
    setTree(next);
    setNode(at);
    keep(keptOf(next, at));
  };
  const remember = () => setPast((before) => [...before.slice(1 - UNDO_STEPS), keptOf(tree, node)]);
  // What the address asks for comes later: not over something else that was opened meanwhile, and only once.
  const asked = query.toString();
  const opening = useRef(0);
  const opened = useRef<string | null>(null);
  const addressDone = () => {
    opening.current++;
    opened.current = asked;
  };
  const openTree = (next: Tree, at?: Node) => {
    addressDone();
    if (tree.root.children.length) remember();
    setEditing(null);
    show(next, at ?? next.root);
  };
  const undo = () => {
    const last = past[past.length - 1];
    if (!last) return;
    addressDone();
    const before = restoreTree(last.tree);
    setPast(past.slice(0, -1));
    show(before, nodeAt(before, last.place));
    tell(t('undone'));
  };

  useEffect(() => {
    if (!clipped) return;
    openTree(clipped.tree, clipped.at);
    pasted.set(null);
  }, [clipped]);

  useEffect(() => {
    if (state !== 'open' || opened.current === asked) return;
    const mine = ++opening.current;
    opened.current = null;
    const wanted = () => mine === opening.current;
    const fen = query.get('fen');
    const game = Number(query.get('game'));
    if (query.get('edit')) {
      addressDone();
      setEditing(fen ?? START_FEN);
    } else if (fen) {
      // An address can contain anything: the server checks the position before it is shown and stored.
      ask('position', { fen }).then(
        ({ board }) => wanted() && openTree(createTree(board.start_fen, board.variant === 'chess960')),
        (why) => {
          tellError(why);
          history.replaceState(history.state, '', '#/analyse');
        },
      );
    } else if (game) {
      ask('game.open', { game }).then(({ game: found }) => {
        ask('game.close', { game }).catch(() => undefined);
        if (!wanted()) return;
        const next = treeOfGame(found);
        let at = lastOf(next.root);
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
      setNode={(next) => show(tree, next)}
      remember={remember}
      undo={past.length ? undo : null}
      openTree={openTree}
      edit={() => {
        addressDone();
        setEditing(node.move?.fen ?? tree.startFen);
      }}
    />
  );
}

// White's chances in percent; while nothing is known yet, as before.
function useChances(analysis: Analysis | null, end: BoardState['end']): number {
  const best = analysis?.lines[0];
  const kept = useRef(50);
  if (end) kept.current = end.winner === null ? 50 : end.winner === 'white' ? 100 : 0;
  else if (best) kept.current = best.wdl ? (best.wdl[0] + best.wdl[1] / 2) / 10 : chances(best.score);
  return kept.current;
}

function Analysing(props: {
  tree: Tree;
  node: Node;
  setNode: (node: Node) => void;
  remember: () => void; // before a change, so that it can be undone
  undo: (() => void) | null;
  openTree: (tree: Tree, at?: Node) => void;
  edit: () => void;
}) {
  const { tree, node, setNode, remember } = props;
  const { reader } = useStore(settings);
  const [on, setOn] = useState(true);
  const [threat, setThreat] = useState(false);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [flipped, setFlipped] = useState(false);
  const [version, setVersion] = useState(0);
  const [dialog, setDialog] = useState<'in' | 'out' | 'delete' | 'tags' | null>(null);
  const { board, analysis } = useAnalysis(tree, node, on, threat);
  useEffect(() => {
    setPreview(null);
    setThreat(false);
  }, [tree, node]);

  const fen = node.move?.fen ?? tree.startFen;
  const fits = board !== null && sameBoard(board.fen, fen);
  const turn = turnOf(fen);
  const checked = inCheck(fen);
  const { dests, promotions } = fits ? board : guessMoves(fen, tree.chess960);

  const now = useRef({ tree, node });
  now.current = { tree, node };
  const redraw = () => setVersion((count) => count + 1);
  const playMoves = async (ucis: string[]) => {
    try {
      const path = pathOf(node).map((move) => move.uci);
      const answer = await ask('position', {
        fen: tree.startFen,
        ...(tree.chess960 ? { chess960: true } : {}),
        moves: [...path, ...ucis],
      });
      if (now.current.tree !== tree) return; // another one was opened meanwhile
      const played = answer.board.moves.slice(path.length);
      if (!node.children.some((child) => child.move!.uci === played[0]!.uci)) remember();
      let at = node;
      for (const { uci, san, fen: after } of played) at = addMove(at, { uci, san, fen: after });
      if (now.current.node !== node) return setNode(now.current.node); // who has stepped away stays there
      play(soundOfMove(at.move!.san));
      announce(sayMove(at.move!.san));
      setNode(at);
    } catch (why) {
      redraw();
      tellError(why);
    }
  };
  const change = (part: Partial<Pick<Node, 'comment' | 'nags' | 'shapes'>>) => {
    remember();
    Object.assign(node, part);
    setNode(node);
    redraw();
  };
  const remove = () => {
    remember();
    setNode(removeNode(node));
    tell(t('analyse.deleted'));
  };
  const askRemove = () => node.parent && (sizeOf(node) > CONFIRMED_SIZE ? setDialog('delete') : remove());
  const promote = () => {
    remember();
    promoteNode(node);
    setNode(node);
    redraw();
  };
  const step = (to: Node | null | undefined) => {
    if (!to || to === node) return;
    setNode(to);
    announce(to.move ? sayMove(to.move.san) : t('startPosition'));
  };
  const walk = (by: 1 | -1) => {
    if (!preview) step(by > 0 ? node.children[0] : node.parent);
    else if (preview.at + by < 1) setPreview(null);
    else setPreview({ ...preview, at: Math.min(preview.moves.length, preview.at + by) });
  };
  const insert = (moves: { uci: string }[]) => void playMoves(moves.map((move) => move.uci));

  useKeys({
    ArrowLeft: () => walk(-1),
    ArrowRight: () => walk(1),
    Home: () => step(tree.root),
    End: () => step(lastOf(node)),
    Enter: () => preview && insert(preview.moves.slice(0, preview.at)),
    Escape: () => setPreview(null),
    f: () => setFlipped(!flipped),
    ' ': () => analysis?.lines[0]?.moves[0] && !threat && insert([analysis.lines[0].moves[0]]),
    e: () => setOn(!on),
    x: () => on && !checked && setThreat(!threat),
    Delete: askRemove,
    z: () => props.undo?.(),
    '/': () => document.getElementById('typed-move')?.focus(),
  });

  const before = node.parent?.move?.fen ?? tree.startFen;
  const ply = plyOf(node);
  const end = lastOf(node);
  const white = useChances(threat ? null : analysis, fits ? board.end : null);
  const fens = preview ? [fen, ...playLine(fen, preview.moves)] : [fen];
  const shownFen = fens[preview?.at ?? 0] ?? fen;
  const lastMove = preview
    ? squaresOf(preview.moves[preview.at - 1]!.uci, fens[preview.at - 1])
    : node.move
      ? squaresOf(node.move.uci, before)
      : null;
  return (
    <div class="stage analyse">
      <h1 class="unseen">{t('analyse.board')}</h1>
      <div class="table">
        <div class="board-row">
          <EvaluationBar white={white} bottom={flipped ? 'black' : 'white'} />
          <Board
            label={t('analyse.board')}
            fen={shownFen}
            orientation={flipped ? 'black' : 'white'}
            turn={turnOf(shownFen)}
            movable={preview ? null : 'both'}
            dests={preview ? {} : dests}
            promotions={promotions}
            last={lastMove}
            check={inCheck(shownFen)}
            shapes={on && !preview ? arrowsOf(analysis, threat) : []}
            drawn={preview ? [] : (node.shapes ?? [])}
            onDraw={preview ? undefined : (shapes: Shape[]) => change({ shapes })}
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
        <EngineBox
          on={on}
          setOn={setOn}
          over={Boolean(fits && board.end)}
          analysis={analysis}
          threat={threat}
          setThreat={checked || (fits && board.end) ? null : setThreat}
          startFen={tree.startFen}
          ply={ply}
          preview={preview}
          setPreview={setPreview}
          insert={insert}
        />
        <TreeView tree={tree} node={node} onPick={step} />
        <Annotate node={node} change={change} />
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
        <div class="controls" role="group" aria-label={t('nav.analyse')}>
          <IconButton icon="flip" label={t('flip')} text onClick={() => setFlipped(!flipped)} />
          <IconButton icon="edit" label={t('analyse.edit')} text onClick={props.edit} />
          <IconButton icon="upload" label={t('paste')} text onClick={() => setDialog('in')} />
          <IconButton icon="download" label={t('export')} text onClick={() => setDialog('out')} />
          <IconButton icon="games" label={t('analyse.details')} text onClick={() => setDialog('tags')} />
          <IconButton icon="play" label={t('playFromHere')} text onClick={() => go(`play?fen=${encodeURIComponent(fen)}`)} />
          <IconButton icon="plus" label={t('analyse.new')} text onClick={() => props.openTree(createTree(START_FEN))} />
          {node.parent && node.parent.children[0] !== node && (
            <IconButton icon="check" label={t('analyse.promote')} text onClick={promote} />
          )}
          <IconButton icon="trash" label={t('delete')} text disabled={!node.parent} onClick={() => void askRemove()} />
          <IconButton icon="undo" label={t('undo')} text disabled={!props.undo} onClick={() => props.undo?.()} />
        </div>
        {reader && <SpokenPosition fen={fen} turn={turn} />}
      </aside>
      {dialog === 'delete' && (
        <Confirm
          title={t('analyse.deleteLine')}
          text={t('analyse.willDelete', { n: sizeOf(node) })}
          yes={t('delete')}
          onYes={remove}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'in' && <PasteDialog close={() => setDialog(null)} openTree={props.openTree} />}
      {dialog === 'out' && <ExportDialog tree={tree} fen={fen} close={() => setDialog(null)} />}
      {dialog === 'tags' && (
        <TagsDialog
          tree={tree}
          close={() => setDialog(null)}
          change={(tags, result) => {
            remember();
            Object.assign(tree, { tags, result });
            setNode(node);
          }}
        />
      )}
    </div>
  );
}

function arrowsOf(analysis: Analysis | null, threat: boolean): DrawShape[] {
  return (analysis?.lines ?? []).slice(0, threat ? 1 : 3).flatMap((line, i) => {
    const first = line.moves[0];
    if (!first) return [];
    const brush = threat ? 'threat' : ['best', 'next', 'later'][i]!;
    return [{ orig: first.uci.slice(0, 2) as Key, dest: first.uci.slice(2, 4) as Key, brush }];
  });
}

const sameBoard = (one: string, two: string): boolean =>
  one.split(' ').slice(0, 2).join() === two.split(' ').slice(0, 2).join();

function endWords(board: BoardState): string {
  if (board.end) return resultText(board.end);
  const { tablebase } = board;
  if (!tablebase) return board.claim ? t('analyse.claim', { reason: claimText(board.claim) }) : '';
  const verdict = VERDICTS.find((one) => one === tablebase.verdict) ?? 'draw';
  const words = t('tablebase', { verdict: t(`tablebase.${verdict}`), side: colorText(board.turn) });
  if (tablebase.dtz === null || verdict === 'draw') return words;
  return `${words}, ${t('tablebase.dtz', { n: Math.abs(tablebase.dtz) })}`;
}

const VERDICTS = ['win', 'cursed win', 'draw', 'blessed loss', 'loss'] as const;
