// All games of a player: search, open, export, import.
import { useEffect, useRef, useState } from 'preact/hooks';
import { tell, tellError } from '../lib/announce';
import { controlText, playedText, plural } from '../lib/format';
import { ask, link, refreshSession, session } from '../lib/net';
import type { GameSummary, Imported, ListKey, Questions } from '../lib/protocol';
import { route } from '../lib/router';
import { transport } from '../lib/transport';
import { useStore } from '../lib/use';
import { MiniBoard } from '../parts/Board';
import { Confirm, Dialog, Empty, IconButton, Switch, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';

const PAGE = 24;

type Filter = Pick<Questions['games.list']['ask'], 'search' | 'kind' | 'result' | 'color' | 'reviewed'>;

// Only what is set: the server takes the rest as "any".
const cleaned = (filter: Filter): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')) as Filter;

export function GamesScreen() {
  useTitle('My games');
  const { state } = useStore(link);
  const player = useStore(session)?.player;
  const search = useStore(route).query.get('search') ?? '';
  const [filter, setFilter] = useState<Filter>({ search });
  const [chosen, setChosen] = useState<Set<number> | null>(null); // games to delete; null: none are being chosen
  const [pages, setPages] = useState<ListKey[]>([]); // where each page but the first begins
  const [found, setFound] = useState<{ total: number; games: GameSummary[]; next: ListKey | null } | null>(null);
  const [importing, setImporting] = useState(false);
  const [deleting, setDeleting] = useState<GameSummary | 'chosen' | null>(null);
  const [turn, setTurn] = useState(0);
  const reload = () => setTurn((count) => count + 1);

  useEffect(() => {
    if (state !== 'open' || !player) return;
    let stale = false;
    const timer = setTimeout(() => {
      ask('games.list', { player: player.id, ...cleaned(filter), after: pages[pages.length - 1], limit: PAGE }).then(
        (answer) => stale || setFound((before) => ({ ...answer, total: answer.total ?? before?.total ?? 0 })),
        tellError,
      );
    }, 120);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [state, player?.id, filter, pages, turn]);
  useEffect(() => {
    setFilter({ search });
    setPages([]);
  }, [search]);
  const offset = pages.length * PAGE;
  const next = found?.next;

  const change = (part: Filter) => {
    setFilter({ ...filter, ...part });
    setPages([]);
  };
  const choose = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const deleteGames = async (ids: number[]) => {
    try {
      const { deleted } = await ask('games.delete', { games: ids });
      tell(`${plural(deleted, 'game')} deleted.`);
      setChosen(null);
      reload();
      void refreshSession();
    } catch (why) {
      tellError(why);
    }
  };
  const query = new URLSearchParams({ player: String(player?.id ?? '') });
  for (const [name, value] of Object.entries(cleaned(filter))) query.set(name, String(value));

  return (
    <div class="page">
      <header class="page-head with-actions">
        <div>
          <h1>My games</h1>
          <p>{found ? plural(found.total, 'game') : ' '}</p>
        </div>
        <div class="buttons">
          <a class="button" href="#/statistics">
            <Icon name="stats" /> Statistics
          </a>
          <button type="button" onClick={() => setImporting(true)}>
            <Icon name="upload" /> Import
          </button>
          {found?.total ? (
            <a class="button" href={`/api/pgn?${query}`} download>
              <Icon name="download" /> Download all
            </a>
          ) : (
            <button type="button" disabled>
              <Icon name="download" /> Download all
            </button>
          )}
        </div>
      </header>
      <Filters filter={filter} change={change} />
      {found && found.total > 0 && (
        <ChooseBar
          chosen={chosen}
          all={found.games.map((game) => game.id)}
          setChosen={setChosen}
          remove={() => setDeleting('chosen')}
        />
      )}
      {found && found.games.length === 0 && (
        <NoGames filtered={Object.keys(cleaned(filter)).length > 0} clear={() => setFilter({})} add={() => setImporting(true)} />
      )}
      <ul class="game-list">
        {found?.games.map((game) => (
          <GameRow
            key={game.id}
            game={game}
            chosen={chosen ? chosen.has(game.id) : null}
            choose={() => choose(game.id)}
            remove={() => setDeleting(game)}
          />
        ))}
      </ul>
      {found && found.total > PAGE && (
        <div class="pager">
          <IconButton icon="prev" label="Newer" text disabled={offset === 0} onClick={() => setPages(pages.slice(0, -1))} />
          <span>
            {offset + 1} to {Math.min(offset + PAGE, found.total)}
          </span>
          <IconButton icon="next" label="Older" text disabled={!next || offset + PAGE >= found.total} onClick={() => next && setPages([...pages, next])} />
        </div>
      )}
      {importing && player && (
        <ImportDialog
          player={player.id}
          close={() => {
            setImporting(false);
            reload();
          }}
        />
      )}
      {deleting === 'chosen' && chosen && (
        <Confirm
          title={`Delete ${plural(chosen.size, 'game')}?`}
          text="Their reviews and exercises are deleted as well. This cannot be undone."
          yes="Delete"
          onClose={() => setDeleting(null)}
          onYes={() => void deleteGames([...chosen])}
        />
      )}
      {deleting && deleting !== 'chosen' && (
        <Confirm
          title="Delete this game?"
          text={`${deleting.white.title} – ${deleting.black.title}, ${playedText(deleting)}: this cannot be undone.`}
          yes="Delete"
          onClose={() => setDeleting(null)}
          onYes={() => void deleteGames([deleting.id])}
        />
      )}
    </div>
  );
}

function ChooseBar(props: {
  chosen: Set<number> | null;
  all: number[];
  setChosen: (chosen: Set<number> | null) => void;
  remove: () => void;
}) {
  const { chosen } = props;
  if (!chosen) {
    return (
      <div class="choose-bar">
        <button type="button" class="plain small" onClick={() => props.setChosen(new Set())}>
          Select games
        </button>
      </div>
    );
  }
  return (
    <div class="choose-bar" role="group" aria-label="Selected games">
      <span role="status">{plural(chosen.size, 'game')} selected</span>
      <button type="button" class="plain small" onClick={() => props.setChosen(new Set([...chosen, ...props.all]))}>
        All on this page
      </button>
      <button type="button" class="danger small" disabled={chosen.size === 0} onClick={props.remove}>
        Delete
      </button>
      <button type="button" class="plain small" onClick={() => props.setChosen(null)}>
        Cancel
      </button>
    </div>
  );
}

function NoGames({ filtered, clear, add }: { filtered: boolean; clear: () => void; add: () => void }) {
  if (filtered) {
    return (
      <Empty icon="games" title="No games match">
        <button type="button" onClick={clear}>
          Clear filters
        </button>
      </Empty>
    );
  }
  return (
    <Empty icon="games" title="No games yet">
      <p>Games you play are saved automatically. You can also import games from a PGN file.</p>
      <a class="button primary" href="#/play">
        Play
      </a>
      <button type="button" onClick={add}>
        Import
      </button>
    </Empty>
  );
}

function Filters({ filter, change }: { filter: Filter; change: (part: Filter) => void }) {
  const select = <K extends keyof Filter>(label: string, name: K, options: [string, string][]) => (
    <label class="field">
      <span class="unseen">{label}</span>
      <select
        value={String(filter[name] ?? '')}
        onChange={(event) => {
          const value = event.currentTarget.value;
          change({ [name]: value === 'true' ? true : value === 'false' ? false : value || undefined });
        }}
      >
        <option value="">{label}</option>
        {options.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="filters" role="search">
      <label class="field search">
        <span class="unseen">Search</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Name, opening, event"
          value={filter.search ?? ''}
          onInput={(event) => change({ search: event.currentTarget.value })}
        />
      </label>
      {select('Any result', 'result', [
        ['won', 'Won'],
        ['lost', 'Lost'],
        ['drawn', 'Drawn'],
        ['running', 'Unfinished'],
      ])}
      {select('Both colours', 'color', [
        ['white', 'As White'],
        ['black', 'As Black'],
      ])}
      {select('All kinds', 'kind', [
        ['play', 'Played'],
        ['watch', 'Watched'],
        ['import', 'Imported'],
      ])}
      {select('Any review state', 'reviewed', [
        ['true', 'Reviewed'],
        ['false', 'Not reviewed'],
      ])}
    </div>
  );
}

function outcomeOf(game: GameSummary): { word: string; kind: string } {
  if (!game.result) return { word: 'Unfinished', kind: 'open' };
  if (game.result.score === '*') return { word: 'No result', kind: 'open' };
  if (game.result.winner === null) return { word: 'Draw', kind: 'even' };
  if (game.you === null) return { word: game.result.score.replace('-', '–'), kind: 'even' };
  return game.result.winner === game.you ? { word: 'Won', kind: 'won' } : { word: 'Lost', kind: 'lost' };
}

function GameRow(props: { game: GameSummary; chosen: boolean | null; choose: () => void; remove: () => void }) {
  const { game, chosen } = props;
  const outcome = outcomeOf(game);
  const accuracy = game.you && game.accuracy ? game.accuracy[game.you] : null;
  return (
    <li class="card game-row">
      {chosen !== null && (
        <input
          type="checkbox"
          aria-label={`Select ${game.white.title} – ${game.black.title}`}
          checked={chosen}
          onChange={props.choose}
        />
      )}
      <a class="game-link" href={`#/game/${game.id}`}>
        <MiniBoard fen={game.fen} orientation={game.you ?? 'white'} last={game.last} />
        <span class="game-about">
          <span class="game-names">
            {game.white.title || '…'} – {game.black.title || '…'}
          </span>
          <span class={`outcome ${outcome.kind}`}>{outcome.word}</span>
          <small>{game.opening ? `${game.opening.eco} ${game.opening.name}` : (game.event ?? ' ')}</small>
          <small>
            {playedText(game)} · {plural(Math.ceil(game.ply / 2), 'move')} · {controlText(game.clock)}
            {game.variant === 'chess960' ? ' · Chess960' : ''}
            {accuracy === null ? '' : ` · ${accuracy.toFixed(0)} % accurate`}
          </small>
        </span>
      </a>
      <span class="game-actions">
        {game.result && (
          <a class="icon-button" href={`#/review/${game.id}?start`} aria-label="Review" title="Review">
            <Icon name="learn" />
          </a>
        )}
        <a class="icon-button" href={`/api/pgn?game=${game.id}`} download aria-label="Download PGN" title="Download PGN">
          <Icon name="download" />
        </a>
        <IconButton icon="trash" label="Delete" onClick={props.remove} />
      </span>
    </li>
  );
}

function ImportDialog({ player, close }: { player: number; close: () => void }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Imported | null>(null);
  const [skip, setSkip] = useState(true);
  const file = useRef<HTMLInputElement>(null);

  const send = async (event: Event) => {
    event.preventDefault();
    const chosen = file.current?.files?.[0];
    setBusy(true);
    try {
      const response = await transport.request(`/api/import?player=${player}${skip ? '&skip_known=1' : ''}`, { method: 'POST', body: chosen ?? text });
      if (response.status === 413) throw new Error('This file is larger than 16 MB.');
      if (!response.ok) throw new Error(`Import rejected by the server (status ${response.status}).`);
      const imported = (await response.json()) as Imported;
      setAnswer(imported);
      tell(`${plural(imported.imported, 'game')} imported.`);
    } catch (why) {
      tellError(why);
    }
    setBusy(false);
  };

  return (
    <Dialog title="Import games" onClose={close}>
      {answer ? (
        <>
          <p>
            {plural(answer.imported, 'game')} imported
            {answer.known > 0 && `, ${answer.known} already there`}
            {answer.skipped > 0 && `, ${answer.skipped} invalid`}.
          </p>
          {answer.names.length > 0 && <ClaimName names={answer.names} />}
          {answer.errors.length > 0 && (
            <ul class="import-errors">
              {answer.errors.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          <div class="buttons end">
            <button type="button" class="primary" onClick={close}>
              Done
            </button>
          </div>
        </>
      ) : (
        <form onSubmit={send}>
          <label class="field">
            <span>PGN file</span>
            <input ref={file} type="file" accept=".pgn,application/x-chess-pgn,text/plain" onChange={() => setText('')} />
          </label>
          <label class="field">
            <span>or PGN text</span>
            <textarea rows={8} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
          <Switch label="Skip games that are already there" value={skip} onChange={setSkip} />
          <p>
            <small>Tags, main line and clocks are kept; comments and variations are not.</small>
          </p>
          <div class="buttons end">
            <button type="button" class="plain" onClick={close}>
              Cancel
            </button>
            <button type="submit" class="primary" disabled={busy}>
              {busy ? 'Importing…' : 'Import'}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

// The player's side of imported games is known by the name; reviews, exercises and statistics need it.
function ClaimName({ names }: { names: Imported['names'] }) {
  const [claimed, setClaimed] = useState<string | null>(null);
  const claim = (name: string) =>
    ask('games.claim', { name }).then(({ games }) => setClaimed(`${name}: ${plural(games, 'game')} of yours.`), tellError);
  if (claimed) return <p role="status">{claimed}</p>;
  return (
    <section class="claim" aria-labelledby="claim">
      <h3 id="claim">Which of these names are you?</h3>
      <div class="buttons">
        {names.map(({ name, games }) => (
          <button key={name} type="button" class="plain small" onClick={() => void claim(name)}>
            {name} ({games})
          </button>
        ))}
      </div>
    </section>
  );
}
