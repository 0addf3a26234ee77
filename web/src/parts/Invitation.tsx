// A game with a free seat: its address for the one who invites, a place to join for the one who is invited.
import { useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { other } from '../lib/chess';
import { controlText } from '../lib/format';
import type { OpenGame } from '../lib/game';
import { ask, becomePlayer, session } from '../lib/net';
import type { Game, Player } from '../lib/protocol';
import { route } from '../lib/router';
import { useStore } from '../lib/use';
import { CopyField } from './common';

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

export function Invitation({ game, send }: { game: Game; send: OpenGame['send'] }) {
  const invited = useStore(route).query.has('join');
  return invited || game.you === null ? <Join game={game} send={send} /> : <Waiting game={game} />;
}

function Waiting({ game }: { game: Game }) {
  const address = `${location.origin}/#/game/${game.id}?join`;
  return (
    <section class="status invitation" aria-label="Invitation">
      <h2>Waiting for an opponent</h2>
      <CopyField label="Send this link to the other player" text={address} rows={2} />
      {LOOPBACK.test(location.host) && (
        <p>
          <small>
            This address works on this computer only. Start <code>castellan web --host</code> with an address of your
            network to play from two computers.
          </small>
        </p>
      )}
    </section>
  );
}

// The name decides who joins: the player of this browser, another one of this server, or a new one.
async function playAs(name: string, host: string): Promise<void> {
  if (name.toLowerCase() === host.toLowerCase()) throw new Error(`${host} is the other player of this game.`);
  const hello = session.get();
  if (hello?.player.name === name) return;
  const known = hello?.players.find((one: Player) => one.name.toLowerCase() === name.toLowerCase());
  const player = known ?? (await ask('players.create', { name })).player;
  await becomePlayer(player.id);
}

function Join({ game, send }: { game: Game; send: OpenGame['send'] }) {
  const me = useStore(session)?.player.name ?? '';
  const host = game[other(game.seat!)].title;
  const [name, setName] = useState(me === host ? '' : me);
  const join = async (event: Event) => {
    event.preventDefault();
    try {
      await playAs(name.trim(), host);
      if (await send('game.join')) history.replaceState(history.state, '', `#/game/${game.id}`);
      route.set({ name: 'game', id: game.id, query: new URLSearchParams() });
    } catch (why) {
      tellError(why);
    }
  };
  return (
    <form class="status invitation" onSubmit={join} aria-label="Invitation">
      <h2>{host} invites you to a game</h2>
      <p>
        You play {game.seat === 'white' ? 'White' : 'Black'}. {controlText(game.clock)}.
      </p>
      <label class="field">
        <span>Your name</span>
        <input type="text" maxLength={40} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" disabled={!name.trim()}>
        Join
      </button>
    </form>
  );
}
