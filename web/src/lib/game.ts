// One game, kept in step with the server: opened, listened to, and opened again after a lost connection.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { tellError } from './announce';
import { ask, hear, link, Refusal, session } from './net';
import type { Game, Questions } from './protocol';
import { createStore } from './store';
import { useStore } from './use';

// Of the game that is shown, or was shown last.
export const shownKind = createStore<Game['kind']>('play');

export interface OpenGame {
  game: Game | null;
  at: number; // performance.now() when the snapshot came, for the clocks
  missing: string | null;
  turnBack: number; // grows when the board has to go back to the snapshot
  send: <Q extends GameQuestion>(what: Q, fields?: object, again?: boolean) => Promise<Game | null>;
}

type GameQuestion = {
  [Q in keyof Questions]: Questions[Q]['data'] extends { game: Game } ? Q : never;
}[keyof Questions];

export function useGame(id: number | null): OpenGame {
  const [kept, setKept] = useState<{ game: Game; at: number } | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const [turnBack, setTurnBack] = useState(0);
  const { state } = useStore(link);
  const player = useStore(session)?.player.id; // whose game it is depends on who looks
  const current = useRef(id);
  current.current = id;

  const put = useCallback((game: Game) => {
    if (game.id !== current.current) return;
    setKept((before) => {
      if (before?.game.id === game.id && before.game.version >= game.version) return before;
      return { game, at: performance.now() };
    });
  }, []);

  useEffect(() => {
    setKept(null);
    setMissing(null);
  }, [id]);

  useEffect(() => {
    if (id === null || state !== 'open') return;
    const silence = hear('game', put);
    ask('game.open', { game: id })
      // After the server was started again its versions may begin anew: its word is the newer one.
      .then(({ game }) => {
        if (game.id === current.current) setKept({ game, at: performance.now() });
      })
      .catch((why: Refusal) => {
        if (why.code !== 'lost') setMissing(why.message);
      });
    return () => {
      silence();
      if (link.get().state === 'open') ask('game.close', { game: id }).catch(() => undefined);
    };
  }, [id, state, player]);

  const send: OpenGame['send'] = useCallback(
    async (what, fields = {}, again = false) => {
      if (id === null) return null;
      try {
        const { game } = (await ask(what, { game: id, ...fields } as never, again)) as { game: Game };
        put(game);
        return game;
      } catch (why) {
        setTurnBack((count) => count + 1);
        if (why instanceof Refusal && why.code === 'stale') {
          ask('game.open', { game: id }).then(({ game }) => put(game), tellError);
        } else tellError(why);
        return null;
      }
    },
    [id, put],
  );

  return { game: kept?.game.id === id ? kept.game : null, at: kept?.at ?? 0, missing, turnBack, send };
}
