// The players of this server and their ratings.
import { useEffect, useState } from 'preact/hooks';
import { tell, tellError } from '../lib/announce';
import { dayText, plural, ratingText } from '../lib/format';
import { ask, becomePlayer, link, refreshSession, session } from '../lib/net';
import type { Player } from '../lib/protocol';
import { useStore } from '../lib/use';
import { Confirm, Dialog, useTitle } from '../parts/common';
import { RatingGraph, type RatingPoint } from '../parts/Graph';
import { Icon } from '../parts/Icon';

export function PlayersScreen() {
  useTitle('Players');
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
      tell(`${player.name} deleted.`);
    } catch (why) {
      tellError(why);
    }
  };

  return (
    <div class="page narrow">
      <header class="page-head with-actions">
        <div>
          <h1>Players</h1>
          <p>Each player has their own games, rating and exercises.</p>
        </div>
        <button type="button" onClick={() => setNaming('new')}>
          <Icon name="plus" /> New player
        </button>
      </header>
      {me && (
        <section class="card rating-card" aria-label={`Rating of ${me.name}`}>
          <div class="rating-now">
            <span class="big-figure">{ratingText(me)}</span>
            <span>
              <b>{me.name}</b>
              <small>
                {plural(me.games, 'rated game')}
                {me.games > 0 && me.deviation > 110 ? ', provisional' : ''}
              </small>
            </span>
          </div>
          {points && points.length > 0 ? (
            <RatingGraph points={points} />
          ) : (
            <p class="quiet">No rated games yet.</p>
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
                  {ratingText(player)} · {plural(player.games, 'rated game')} · since {dayText(player.created)}
                </small>
              </span>
            </button>
            <button type="button" class="icon-button" aria-label={`Rename ${player.name}`} title="Rename" onClick={() => setNaming(player)}>
              <Icon name="edit" />
            </button>
            {hello.players.length > 1 && (
              <button type="button" class="icon-button" aria-label={`Delete ${player.name}`} title="Delete" onClick={() => setRemoving(player)}>
                <Icon name="trash" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {removing && (
        <Confirm
          title={`Delete ${removing.name}?`}
          text="All games, reviews, exercises and ratings of this player are deleted. This cannot be undone."
          yes="Delete"
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
        tell(`Welcome, ${made.player.name}.`);
      }
      close();
    } catch (why) {
      tellError(why);
    }
  };
  return (
    <Dialog title={player ? 'Rename' : 'New player'} onClose={close}>
      <form onSubmit={save}>
        <label class="field">
          <span>Name</span>
          <input type="text" maxLength={40} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <div class="buttons end">
          <button type="submit" class="primary" disabled={!name.trim()}>
            {player ? 'Rename' : 'Create'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
