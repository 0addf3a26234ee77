// The opening explorer: what theory plays and what the player's games show, move by move, and lines to drill.
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, tell, tellError } from '../lib/announce';
import { guessMoves, inCheck, playLine, squaresOf, START_FEN, turnOf } from '../lib/chess';
import { colorText, percentText, sanText, untilText } from '../lib/format';
import { ask, link, Refusal } from '../lib/net';
import type { BoardState, Color } from '../lib/protocol';
import type { BookMove, DrillLine, Explorer, ExplorerMove } from '../lib/protocol-study';
import { route } from '../lib/router';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { numberText, t } from '../lib/text';
import { useStore } from '../lib/use';
import { Board } from '../parts/Board';
import { Choice, IconButton, useKeys, useTitle } from '../parts/common';
import { Drill } from '../parts/Drill';
import { Icon } from '../parts/Icon';
import { MoveList, Stepper } from '../parts/MoveList';

type Whose = 'all' | Color;

export function OpeningsScreen() {
  useTitle(t('nav.openings'));
  const online = useStore(link).state === 'open';
  const { query } = useStore(route);
  const [line, setLine] = useState<string[]>(() => movesOf(query.get('moves')));
  const [ply, setPly] = useState(line.length);
  const [whose, setWhose] = useState<Whose>('all');
  const [board, setBoard] = useState<BoardState | null>(null);
  const [found, setFound] = useState<Explorer | null>(null);
  const [drills, setDrills] = useState<{ lines: DrillLine[]; due: number } | null>(null);
  const [drilling, setDrilling] = useState<DrillLine | null>(null);
  const [flipped, setFlipped] = useState(false);

  const asked = query.get('moves');
  const opened = useRef(asked);
  useEffect(() => {
    if (opened.current === asked) return;
    opened.current = asked;
    const moves = movesOf(asked);
    setLine(moves);
    setPly(moves.length);
  }, [asked]);
  const moves = line.slice(0, ply);
  const key = moves.join();
  useEffect(() => {
    if (!online) return;
    let stale = false;
    ask('position', { moves: line }).then(
      (answer) => stale || setBoard(answer.board),
      (why) => {
        tellError(why);
        if (stale || (why instanceof Refusal && why.code === 'lost')) return; // asked again with the next connection
        setLine([]);
        setPly(0);
      },
    );
    ask('explorer', { moves, ...(whose === 'all' ? {} : { color: whose }) }).then((answer) => stale || setFound(answer), tellError);
    return () => {
      stale = true;
    };
  }, [online, line.join(), key, whose]);
  const loadDrills = () => ask('drill.list', {}).then(setDrills, tellError);
  useEffect(() => {
    if (online) void loadDrills();
  }, [online]);

  // The server's answer to an earlier line counts as far as this one is the same.
  const known = board?.moves ?? [];
  const differs = known.findIndex((move, i) => move.uci !== line[i]);
  const played = differs < 0 ? known : known.slice(0, differs);
  const fens = [START_FEN, ...playLine(START_FEN, line.map((uci) => ({ uci })))];
  const fenAt = (at: number) => (at > 0 ? played[at - 1]?.fen : undefined) ?? fens[at] ?? START_FEN;
  const fen = fenAt(ply);
  const last = line[ply - 1];
  const go = (uci: string) => {
    setLine([...moves, uci]);
    setPly(ply + 1);
  };
  const pick = (to: number) => {
    const next = Math.max(0, Math.min(line.length, to));
    setPly(next);
    const move = played[next - 1];
    announce(move ? sayMove(move.san) : t('startPosition'));
  };
  useKeys({
    ArrowLeft: () => pick(ply - 1),
    ArrowRight: () => pick(ply + 1),
    Home: () => pick(0),
    End: () => pick(line.length),
    f: () => setFlipped(!flipped),
  });
  const addDrill = (color: Color) =>
    ask('drill.add', { color, moves }).then(({ line: added }) => {
      tell(t('drill.added', { name: added.name }));
      void loadDrills();
    }, tellError);

  if (drilling) {
    return (
      <Drill
        key={drilling.id}
        line={drilling}
        close={() => {
          setDrilling(null);
          void loadDrills();
        }}
      />
    );
  }
  const { dests, promotions } = guessMoves(fen, false);
  return (
    <div class="stage openings">
      <h1 class="unseen">{t('explorer')}</h1>
      <div class="table">
        <Board
          label={t('explorer')}
          fen={fen}
          orientation={flipped ? 'black' : 'white'}
          turn={turnOf(fen)}
          movable="both"
          dests={dests}
          promotions={promotions}
          last={last ? squaresOf(last, fenAt(ply - 1)) : null}
          check={inCheck(fen)}
          onMove={(uci) => {
            play(soundOfMove(''));
            go(uci);
          }}
        />
      </div>
      <aside class="panel">
        <section class="status explorer" aria-label={t('explorer.moves')}>
          <p class="opening">
            {found?.opening ? (
              <>
                <b>{found.opening.eco}</b> {found.opening.name}
              </>
            ) : (
              t('startPosition')
            )}
          </p>
          <Choice
            legend={t('gamesHead')}
            hidden
            name="whose"
            value={whose}
            options={[
              ['all', t('explorer.all')],
              ['white', t('as.white')],
              ['black', t('as.black')],
            ]}
            onChange={setWhose}
          />
          {found ? <ExplorerTable found={found} turn={turnOf(fen)} pick={go} /> : <div class="explorer-pending" />}
        </section>
        <MoveList moves={played} startFen={START_FEN} current={ply} onPick={pick} />
        <Stepper current={ply} last={line.length} onPick={pick} />
        <div class="controls" role="group" aria-label={t('explorer')}>
          <IconButton icon="flip" label={t('flip')} text onClick={() => setFlipped(!flipped)} />
          <IconButton icon="plus" label={t('drill.as.white')} text disabled={ply < 2} onClick={() => void addDrill('white')} />
          <IconButton icon="plus" label={t('drill.as.black')} text disabled={ply < 2} onClick={() => void addDrill('black')} />
          <a class="icon-button with-text" href={`#/analyse?fen=${encodeURIComponent(fen)}`}>
            <Icon name="analyse" />
            <span>{t('nav.analyse')}</span>
          </a>
        </div>
        {drills && <Drills drills={drills} begin={setDrilling} changed={loadDrills} />}
      </aside>
    </div>
  );
}

const movesOf = (text: string | null): string[] =>
  (text ?? '').split(',').filter((uci) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(uci));

interface Row {
  uci: string;
  san: string;
  book: BookMove | null;
  own: ExplorerMove | null;
}

// Theory's moves first, by their share; then what only the games have.
function rowsOf(found: Explorer): Row[] {
  const rows: Row[] = found.book.map((book) => ({
    uci: book.uci,
    san: book.san,
    book,
    own: found.moves.find((move) => move.uci === book.uci) ?? null,
  }));
  for (const own of found.moves) {
    if (!rows.some((row) => row.uci === own.uci)) rows.push({ uci: own.uci, san: own.san, book: null, own });
  }
  return rows;
}

function ExplorerTable({ found, turn, pick }: { found: Explorer; turn: Color; pick: (uci: string) => void }) {
  const rows = rowsOf(found);
  if (!rows.length) return <p class="quiet">{t('explorer.none')}</p>;
  return (
    <div class="explorer-scroll" tabIndex={0} role="group" aria-label={t('moves')}>
      <table class="explorer-table">
        <caption class="unseen">{t('explorer.caption', { side: colorText(turn) })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('move')}</th>
            <th scope="col">{t('explorer.book')}</th>
            <th scope="col">{t('gamesHead')}</th>
            <th scope="col">{t('explorer.results')}</th>
            <th scope="col" title={t('explorer.yourScore')}>
              {t('you')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.uci}>
              <th scope="row">
                <button type="button" class="move" title={row.own?.name ?? undefined} onClick={() => pick(row.uci)}>
                  {sanText(row.san)}
                </button>
              </th>
              <td>{row.book ? percentText(row.book.share) : '–'}</td>
              <td>{numberText(row.own?.games ?? 0)}</td>
              <td>{row.own && <Results move={row.own} />}</td>
              <td>{row.own?.score == null ? '' : percentText(row.own.score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Results({ move }: { move: { white: number; draws: number; black: number } }) {
  const total = move.white + move.draws + move.black || 1;
  const words = t('explorer.counts', { white: move.white, draws: move.draws, black: move.black });
  return (
    <span class="results" role="img" aria-label={words} title={words}>
      <i class="white" style={{ flexGrow: move.white / total }} />
      <i class="draws" style={{ flexGrow: move.draws / total }} />
      <i class="black" style={{ flexGrow: move.black / total }} />
    </span>
  );
}

function Drills(props: {
  drills: { lines: DrillLine[]; due: number };
  begin: (line: DrillLine) => void;
  changed: () => void;
}) {
  const { lines, due } = props.drills;
  const now = Date.now();
  if (!lines.length) {
    return <p class="quiet">{t('drills.none')}</p>;
  }
  return (
    <section class="drills" aria-label={t('drills')}>
      <h2>
        {t('drills')} <small>{due ? t('due', { n: due }) : t('drills.noneDue')}</small>
      </h2>
      <ul>
        {[...lines]
          .sort((a, b) => a.due - b.due)
          .map((line) => (
            <li key={line.id}>
              <button type="button" class={line.due <= now ? 'primary small' : 'plain small'} onClick={() => props.begin(line)}>
                {t('drill')}
              </button>
              <span>
                <b>{line.name}</b>
                <small>
                  {colorText(line.color)}, {t('moveCount', { n: Math.ceil(line.moves.length / 2) })}
                  {line.due > now ? `, ${t('dueWhen', { when: untilText(line.due) })}` : ''}
                </small>
              </span>
              <IconButton
                icon="trash"
                label={t('removeNamed', { name: line.name })}
                onClick={() => void ask('drill.remove', { line: line.id }).then(props.changed, tellError)}
              />
            </li>
          ))}
      </ul>
    </section>
  );
}
