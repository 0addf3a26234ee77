// Unfinished games, to be resumed or discarded.
import { useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { turnOf } from '../lib/chess';
import { controlText, sideTitle } from '../lib/format';
import { ask, refreshSession } from '../lib/net';
import type { GameSummary } from '../lib/protocol';
import { t } from '../lib/text';
import { MiniBoard } from './Board';
import { Confirm, IconButton } from './common';

function runningText(game: GameSummary, rival: string): string {
  if (!rival) return t('running.invitation');
  return game.you && turnOf(game.fen) === game.you ? t('yourMove') : t('running.theirs');
}

const RUNNING_SHOWN = 4;

export function RunningGames({ games }: { games: GameSummary[] }) {
  const [all, setAll] = useState(false);
  const [discarding, setDiscarding] = useState<GameSummary | null>(null);
  const discard = (game: GameSummary) =>
    ask('games.delete', { games: [game.id] }).then(() => refreshSession(), tellError);
  return (
    <section class="running" aria-labelledby="running">
      <h2 id="running">{t('running')}</h2>
      <div class="running-row">
        {games.slice(0, all ? undefined : RUNNING_SHOWN).map((game) => {
          const rival = sideTitle(game[game.you === 'black' ? 'white' : 'black']);
          return (
            <div key={game.id} class="card running-card">
              <a class="running-game" href={`#/game/${game.id}`}>
                <MiniBoard fen={game.fen} orientation={game.you ?? 'white'} last={game.last} />
                <span>
                  <b>{rival || t('invitation.waiting')}</b>
                  <small>
                    {runningText(game, rival)} · {t('moveNumber', { number: Math.floor(game.ply / 2) + 1 })} · {controlText(game.clock)}
                  </small>
                </span>
              </a>
              <IconButton icon="close" label={rival ? t('running.discardNamed', { name: rival }) : t('running.discardInvitation')} onClick={() => setDiscarding(game)} />
            </div>
          );
        })}
      </div>
      {games.length > RUNNING_SHOWN && (
        <button type="button" class="plain small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('running.fewer') : t('running.all', { n: games.length })}
        </button>
      )}
      {discarding && (
        <Confirm
          title={t('running.askDiscard')}
          text={t('running.discardText')}
          yes={t('discard')}
          onClose={() => setDiscarding(null)}
          onYes={() => void discard(discarding)}
        />
      )}
    </section>
  );
}
