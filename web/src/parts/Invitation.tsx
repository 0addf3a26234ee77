// A game with a free seat: its address for the one who invites, a place to join for the one who is invited.
import { useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { other } from '../lib/chess';
import { colorText, controlText, sideTitle } from '../lib/format';
import type { OpenGame } from '../lib/game';
import { ask, becomePlayer, session } from '../lib/net';
import type { Game, Player } from '../lib/protocol';
import { route } from '../lib/router';
import { rich, t } from '../lib/text';
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
    <section class="status invitation" aria-label={t('invitation')}>
      <h2>{t('invitation.waiting')}</h2>
      <CopyField label={t('invitation.link')} text={address} rows={2} />
      {LOOPBACK.test(location.host) && (
        <p>
          <small>
            {rich('invitation.loopback', { command: <code>castellan web --host</code> })}
          </small>
        </p>
      )}
    </section>
  );
}

// The name decides who joins: the player of this browser, another one of this server, or a new one.
async function playAs(name: string, host: string): Promise<void> {
  if (name.toLowerCase() === host.toLowerCase()) throw new Error(t('invitation.sameName', { name: host }));
  const hello = session.get();
  if (hello?.player.name === name) return;
  const known = hello?.players.find((one: Player) => one.name.toLowerCase() === name.toLowerCase());
  const player = known ?? (await ask('players.create', { name })).player;
  await becomePlayer(player.id);
}

function Join({ game, send }: { game: Game; send: OpenGame['send'] }) {
  const me = useStore(session)?.player.name ?? '';
  const host = sideTitle(game[other(game.seat!)]);
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
    <form class="status invitation" onSubmit={join} aria-label={t('invitation')}>
      <h2>{t('invitation.from', { name: host })}</h2>
      <p>
        {t('invitation.terms', { side: colorText(game.seat!), clock: controlText(game.clock) })}
      </p>
      <label class="field">
        <span>{t('invitation.name')}</span>
        <input type="text" maxLength={40} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" disabled={!name.trim()}>
        {t('invitation.join')}
      </button>
    </form>
  );
}
