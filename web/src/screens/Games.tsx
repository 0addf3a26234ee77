// All games of a player: search, open, export, import.
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, tell, tellError } from '../lib/announce';
import { controlText, percentText, playedText, scoreSign, versusText } from '../lib/format';
import { ask, link, refreshSession, session } from '../lib/net';
import type { GameSummary, Imported, ListKey, Questions } from '../lib/protocol';
import { go, route } from '../lib/router';
import { t } from '../lib/text';
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
  useTitle(t('nav.games'));
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
  const filtered = useRef(search); // what the address asked for last
  useEffect(() => {
    if (filtered.current === search) return;
    filtered.current = search;
    setFilter({ search });
    setPages([]);
  }, [search]);
  const offset = pages.length * PAGE;
  const next = found?.next;

  const change = (part: Filter) => {
    setFilter({ ...filter, ...part });
    setPages([]);
  };
  const clear = () => {
    change(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])));
    go('games'); // without the search of a link that led here
  };
  const choose = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const deleteGames = async (ids: number[]) => {
    try {
      const { deleted } = await ask('games.delete', { games: ids });
      tell(t('games.deleted', { n: deleted }));
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
          <h1>{t('nav.games')}</h1>
          <p>{found ? t('games', { n: found.total }) : '\u00a0'}</p>
        </div>
        <div class="buttons">
          <a class="button" href="#/statistics">
            <Icon name="stats" /> {t('statistics')}
          </a>
          <button type="button" onClick={() => setImporting(true)}>
            <Icon name="upload" /> {t('import')}
          </button>
          {found?.total ? (
            <a class="button" href={`/api/pgn?${query}`} download>
              <Icon name="download" /> {t('downloadAll')}
            </a>
          ) : (
            <button type="button" disabled>
              <Icon name="download" /> {t('downloadAll')}
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
        <NoGames filtered={Object.keys(cleaned(filter)).length > 0} clear={clear} add={() => setImporting(true)} />
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
          <IconButton icon="prev" label={t('newer')} text disabled={offset === 0} onClick={() => setPages(pages.slice(0, -1))} />
          <span>
            {t('fromTo', { from: offset + 1, to: Math.min(offset + PAGE, found.total) })}
          </span>
          <IconButton icon="next" label={t('older')} text disabled={!next || offset + PAGE >= found.total} onClick={() => next && setPages([...pages, next])} />
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
          title={t('games.askDelete', { n: chosen.size })}
          text={t('games.deleteText')}
          yes={t('delete')}
          onClose={() => setDeleting(null)}
          onYes={() => void deleteGames([...chosen])}
        />
      )}
      {deleting && deleting !== 'chosen' && (
        <Confirm
          title={t('games.askDeleteOne')}
          text={`${versusText(deleting)}, ${playedText(deleting)}. ${t('noUndo')}`}
          yes={t('delete')}
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
          {t('games.select')}
        </button>
      </div>
    );
  }
  return (
    <div class="choose-bar" role="group" aria-label={t('games.selection')}>
      <span role="status">{t('games.selected', { n: chosen.size })}</span>
      <button type="button" class="plain small" onClick={() => props.setChosen(new Set([...chosen, ...props.all]))}>
        {t('games.allOnPage')}
      </button>
      <button type="button" class="danger small" disabled={chosen.size === 0} onClick={props.remove}>
        {t('delete')}
      </button>
      <button type="button" class="plain small" onClick={() => props.setChosen(null)}>
        {t('cancel')}
      </button>
    </div>
  );
}

function NoGames({ filtered, clear, add }: { filtered: boolean; clear: () => void; add: () => void }) {
  if (filtered) {
    return (
      <Empty icon="games" title={t('games.noMatch')}>
        <button type="button" onClick={clear}>
          {t('games.clear')}
        </button>
      </Empty>
    );
  }
  return (
    <Empty icon="games" title={t('games.none')}>
      <p>{t('games.about')}</p>
      <a class="button primary" href="#/play">
        {t('nav.play')}
      </a>
      <button type="button" onClick={add}>
        {t('import')}
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
        <span class="unseen">{t('search')}</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder={t('search.placeholder')}
          value={filter.search ?? ''}
          onInput={(event) => change({ search: event.currentTarget.value })}
        />
      </label>
      {select(t('filter.result'), 'result', [
        ['won', t('won')],
        ['lost', t('lost')],
        ['drawn', t('drawn')],
        ['running', t('unfinished')],
      ])}
      {select(t('filter.color'), 'color', [
        ['white', t('as.white')],
        ['black', t('as.black')],
      ])}
      {select(t('filter.kind'), 'kind', [
        ['play', t('kind.play')],
        ['watch', t('kind.watch')],
        ['import', t('kind.import')],
      ])}
      {select(t('filter.review'), 'reviewed', [
        ['true', t('reviewed')],
        ['false', t('reviewed.not')],
      ])}
    </div>
  );
}

function outcomeOf(game: GameSummary): { word: string; kind: string } {
  if (!game.result) return { word: t('unfinished'), kind: 'open' };
  if (game.result.score === '*') return { word: t('outcome.none'), kind: 'open' };
  if (game.result.winner === null) return { word: t('outcome.draw'), kind: 'even' };
  if (game.you === null) return { word: scoreSign(game.result), kind: 'even' };
  return game.result.winner === game.you ? { word: t('won'), kind: 'won' } : { word: t('lost'), kind: 'lost' };
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
          aria-label={t('games.selectOne', { game: versusText(game) })}
          checked={chosen}
          onChange={props.choose}
        />
      )}
      <a class="game-link" href={`#/game/${game.id}`}>
        <MiniBoard fen={game.fen} orientation={game.you ?? 'white'} last={game.last} />
        <span class="game-about">
          <span class="game-names">
            {versusText(game)}
          </span>
          <span class={`outcome ${outcome.kind}`}>{outcome.word}</span>
          <small>{game.opening ? `${game.opening.eco} ${game.opening.name}` : (game.event ?? ' ')}</small>
          <small>
            {playedText(game)} · {t('moveCount', { n: Math.ceil(game.ply / 2) })} · {controlText(game.clock)}
            {game.variant === 'chess960' ? ' · Chess960' : ''}
            {accuracy === null ? '' : ` · ${t('games.accuracy', { percent: percentText(accuracy) })}`}
          </small>
        </span>
      </a>
      <span class="game-actions">
        {game.result && (
          <a class="icon-button" href={`#/review/${game.id}?start`} aria-label={t('review')} title={t('review')}>
            <Icon name="learn" />
          </a>
        )}
        <a class="icon-button" href={`/api/pgn?game=${game.id}`} download aria-label={t('downloadPgn')} title={t('downloadPgn')}>
          <Icon name="download" />
        </a>
        <IconButton icon="trash" label={t('delete')} onClick={props.remove} />
      </span>
    </li>
  );
}

function importText(answer: Imported): string {
  const parts = [t('import.done', { n: answer.imported })];
  if (answer.known > 0) parts.push(t('import.known', { n: answer.known }));
  if (answer.skipped > 0) parts.push(t('import.invalid', { n: answer.skipped }));
  return `${parts.join(', ')}.`;
}

function ImportDialog({ player, close }: { player: number; close: () => void }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Imported | null>(null);
  const [skip, setSkip] = useState(true);
  const [chosen, setChosen] = useState<File | null>(null);

  const send = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const response = await transport.request(`/api/import?player=${player}${skip ? '&skip_known=1' : ''}`, { method: 'POST', body: chosen ?? text });
      if (response.status === 413) throw new Error(t('import.tooLarge'));
      if (!response.ok) throw new Error(t('import.rejected', { status: response.status }));
      const imported = (await response.json()) as Imported;
      setAnswer(imported);
      announce(importText(imported)); // the dialog shows it
    } catch (why) {
      tellError(why);
    }
    setBusy(false);
  };

  return (
    <Dialog title={t('import.title')} onClose={close}>
      {answer ? (
        <>
          <p>{importText(answer)}</p>
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
              {t('done')}
            </button>
          </div>
        </>
      ) : (
        <form onSubmit={send}>
          <label class="field">
            <span>{t('import.file')}</span>
            <input
              type="file"
              accept=".pgn,application/x-chess-pgn,text/plain"
              onChange={(event) => {
                setChosen(event.currentTarget.files?.[0] ?? null);
                setText('');
              }}
            />
          </label>
          <label class="field">
            <span>{t('import.text')}</span>
            <textarea rows={8} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
          <Switch label={t('import.skip')} value={skip} onChange={setSkip} />
          <p>
            <small>{t('import.note')}</small>
          </p>
          <div class="buttons end">
            <button type="button" class="plain" onClick={close}>
              {t('cancel')}
            </button>
            <button type="submit" class="primary" disabled={busy || !(chosen || text.trim())}>
              {busy ? t('import.busy') : t('import')}
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
    ask('games.claim', { name }).then(({ games }) => setClaimed(t('claimName.done', { name, n: games })), tellError);
  if (claimed) return <p role="status">{claimed}</p>;
  return (
    <section class="claim" aria-labelledby="claim">
      <h3 id="claim">{t('claimName')}</h3>
      <div class="buttons">
        {names.map(({ name, games }) => (
          <button key={name} type="button" class="small" onClick={() => void claim(name)}>
            {name} ({games})
          </button>
        ))}
      </div>
    </section>
  );
}
