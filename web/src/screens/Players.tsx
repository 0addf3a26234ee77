// The players of this server and their ratings.
import { useEffect, useState } from 'preact/hooks';
import { tell, tellError } from '../lib/announce';
import { dayText, ratingText } from '../lib/format';
import { ask, becomePlayer, link, refreshSession, session } from '../lib/net';
import type { Player } from '../lib/protocol';
import { t } from '../lib/text';
import { useStore } from '../lib/use';
import { Confirm, Dialog, useTitle } from '../parts/common';
import { RatingGraph, type RatingPoint } from '../parts/Graph';
import { Icon } from '../parts/Icon';

export function PlayersScreen() {
  useTitle(t('nav.players'));
  const hello = useStore(session);
  const { state } = useStore(link);
  const [points, setPoints] = useState<RatingPoint[] | null>(null);
  const [removing, setRemoving] = useState<Player | null>(null);
  const [naming, setNaming] = useState<Player | 'new' | null>(null);
  const me = hello?.player;

  useEffect(() => {
    if (state === 'open' && me) {
      ask('players.ratings', { player: me.id }).then((answer) => setPoints(answer.points), tellError);
    }
  }, [state, me?.id, me?.games]);

  const choose = async (player: Player) => {
    try {
      await ask('players.choose', { player: player.id });
      await becomePlayer(player.id);
    } catch (why) {
      tellError(why);
    }
  };

  const remove = async (player: Player) => {
    try {
      await ask('players.delete', { player: player.id });
      const other = hello?.players.find((one) => one.id !== player.id);
      if (player.id === me?.id && other) await becomePlayer(other.id);
      else await refreshSession();
      tell(t('players.deleted', { name: player.name }));
    } catch (why) {
      tellError(why);
    }
  };

  return (
    <div class="page narrow">
      <header class="page-head with-actions">
        <div>
          <h1>{t('nav.players')}</h1>
          <p>{t('players.about')}</p>
        </div>
        <button type="button" onClick={() => setNaming('new')}>
          <Icon name="plus" /> {t('players.new')}
        </button>
      </header>
      {me && (
        <section class="card rating-card" aria-label={t('players.ratingOf', { name: me.name })}>
          <div class="rating-now">
            <span class="big-figure">{ratingText(me)}</span>
            <span>
              <b>{me.name}</b>
              <small>
                {t('ratedGames', { n: me.games })}
                {me.games > 0 && me.deviation > 110 ? `, ${t('provisional')}` : ''}
              </small>
            </span>
          </div>
          {points && points.length > 1 ? (
            <RatingGraph points={points} />
          ) : (
            <p class="quiet">{t(me.games > 0 ? 'players.oneRated' : 'players.noRated')}</p>
          )}
        </section>
      )}
      <ul class="player-list">
        {hello?.players.map((player) => (
          <li key={player.id} class={`card player-row${player.id === me?.id ? ' chosen' : ''}`}>
            <button type="button" class="player-choose" aria-pressed={player.id === me?.id} onClick={() => void choose(player)}>
              <Icon name={player.id === me?.id ? 'check' : 'user'} />
              <span>
                <b>{player.name}</b>
                <small>
                  {ratingText(player)} · {t('ratedGames', { n: player.games })} · {t('since', { day: dayText(player.created) })}
                </small>
              </span>
            </button>
            <button type="button" class="icon-button" aria-label={t('players.renameNamed', { name: player.name })} title={t('rename')} onClick={() => setNaming(player)}>
              <Icon name="edit" />
            </button>
            {hello.players.length > 1 && (
              <button type="button" class="icon-button" aria-label={t('players.deleteNamed', { name: player.name })} title={t('delete')} onClick={() => setRemoving(player)}>
                <Icon name="trash" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {removing && (
        <Confirm
          title={t('players.askDelete', { name: removing.name })}
          text={t('players.deleteText')}
          yes={t('delete')}
          onClose={() => setRemoving(null)}
          onYes={() => void remove(removing)}
        />
      )}
      {naming && <NameDialog player={naming === 'new' ? null : naming} close={() => setNaming(null)} />}
    </div>
  );
}

function NameDialog({ player, close }: { player: Player | null; close: () => void }) {
  const [name, setName] = useState(player?.name ?? '');
  const save = async (event: Event) => {
    event.preventDefault();
    try {
      if (player) {
        await ask('players.rename', { player: player.id, name: name.trim() });
        await refreshSession();
      } else {
        const made = await ask('players.create', { name: name.trim() });
        await becomePlayer(made.player.id);
        tell(t('welcome', { name: made.player.name }));
      }
      close();
    } catch (why) {
      tellError(why);
    }
  };
  return (
    <Dialog title={player ? t('rename') : t('players.new')} onClose={close}>
      <form onSubmit={save}>
        <label class="field">
          <span>{t('name')}</span>
          <input type="text" maxLength={40} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <div class="buttons end">
          <button type="submit" class="primary" disabled={!name.trim()}>
            {player ? t('rename') : t('create')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
