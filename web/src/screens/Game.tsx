// A game: the player's own, or one between two engines.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, tell } from '../lib/announce';
import { inCheck, other, playLine, squaresOf, turnOf } from '../lib/chess';
import { colorText, resultText, sentence, sideTitle, versusText } from '../lib/format';
import { shownKind, useGame, type OpenGame } from '../lib/game';
import { ask, link, refreshSession } from '../lib/net';
import type { Color, Game } from '../lib/protocol';
import { go } from '../lib/router';
import { settings } from '../lib/settings';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { t } from '../lib/text';
import { clocksAt, moveTimes } from '../lib/times';
import { useStore } from '../lib/use';
import { Board } from '../parts/Board';
import { Confirm, Empty, IconButton, PlayerStrip, useKeys, useTitle } from '../parts/common';
import { GameStatus, type Hint } from '../parts/GameStatus';
import { Icon } from '../parts/Icon';
import { Invitation } from '../parts/Invitation';
import { MoveList, Stepper } from '../parts/MoveList';
import { SpokenPosition, TypedMove } from '../parts/TypedMove';

export function GameScreen({ id }: { id: number }) {
  const open = useGame(id);
  useTitle(open.game ? titleOf(open.game) : t('game'));
  const kind = open.game?.kind;
  useEffect(() => {
    if (kind) shownKind.set(kind);
  }, [kind]);
  if (open.missing) {
    return (
      <Empty icon="games" title={t('game.missing')}>
        <p>{sentence(open.missing)}</p>
        <a class="button" href="#/games">
          {t('nav.games')}
        </a>
      </Empty>
    );
  }
  if (!open.game) return <div class="stage waiting" aria-busy="true" />;
  return <OpenedGame key={id} open={open} game={open.game} />;
}

function titleOf(game: Game): string {
  if (game.result) return resultText(game.result);
  if (game.you && game.turn === game.you && game.people !== 'here') return t('yourMove');
  return versusText(game);
}

// Sounds and words for what has changed since the last snapshot.
function useTellings(game: Game, pending: string | null): void {
  const before = useRef<Game | null>(null);
  useEffect(() => {
    const old = before.current;
    before.current = game;
    if (!old) return;
    const last = game.moves[game.moves.length - 1];
    if (last && game.ply > old.ply) {
      play(soundOfMove(last.san));
      const mover = other(game.turn);
      const who = game.you === null || game.people === 'here' ? colorText(mover) : mover === game.you ? t('you') : sideTitle(game[mover]);
      announce(`${who}: ${sayMove(last.san)}`);
    }
    if (game.offer && game.offer !== old.offer && game.offer !== game.you) {
      tell(t('offersDraw', { name: sideTitle(game[game.offer]) }));
    }
    if (!game.offer && old.offer === game.you && game.you && !game.result) tell(t('draw.declined'));
    if (!game.takeback && old.takeback && old.takeback === game.you) {
      tell(game.takebacks > old.takebacks ? t('takeback.accepted') : t('takeback.declined'));
    }
    if (old.seat && !game.seat) {
      play('start');
      tell(t('joined', { name: sideTitle(game[old.seat]) }));
    }
    if (game.result && !old.result) {
      const { winner } = game.result;
      const text = resultText(game.result);
      play(winner === null ? 'draw' : winner === (game.people === 'here' ? winner : (game.you ?? winner)) ? 'win' : 'loss');
      setTimeout(() => announce(text), 700);
      void refreshSession();
    }
    const said = game.talk[game.talk.length - 1];
    if (said && game.talk.length > old.talk.length) announce(t('says', { name: sideTitle(game[said.side]), text: said.text }));
  }, [game, pending]);
}

function OpenedGame({ open, game }: { open: OpenGame; game: Game }) {
  const { at, send, turnBack } = open;
  const { reader, confirmResign, rotate } = useStore(settings);
  const connected = useStore(link).state === 'open';
  const [flipped, setFlipped] = useState(false);
  const [view, setView] = useState<number | null>(null);
  const [hint, setHint] = useState<Hint | null>(null);
  const [resigning, setResigning] = useState(false);
  const [agreeing, setAgreeing] = useState(false);
  const [unrating, setUnrating] = useState<'hint' | 'takeback' | null>(null);
  const [pending, setPending] = useState<{ ply: number; uci: string } | null>(null);

  const last = game.moves.length;
  const shown = view === null ? last : Math.min(view, last);
  const live = shown === last;
  const here = game.people === 'here';
  const us = here ? game.turn : game.you; // the side that may act now
  const near = here && rotate && live && !game.result ? game.turn : (game.you ?? 'white');
  const bottom: Color = flipped ? other(near) : near;
  const yourTurn = us !== null && game.turn === us && !game.result && !game.seat;
  const noTakeback = whyNoTakeback(game);

  useTellings(game, pending?.uci ?? null);
  useEffect(() => setView(null), [last, game.id]);
  useEffect(() => setHint(null), [last, game.result]);

  const move = (uci: string) => {
    if (!yourTurn || !live || pending) return;
    setPending({ ply: game.ply, uci });
    void send('game.move', { ply: game.ply, uci }, true).finally(() => setPending(null));
  };
  const pick = (ply: number) => {
    const to = Math.max(0, Math.min(last, ply));
    setView(to === last ? null : to);
    const san = game.moves[to - 1]?.san;
    announce(san ? sayMove(san) : t('startPosition'));
  };
  // A hint or a takeback makes a rated game unrated: confirmed once a game.
  const assist = (what: 'hint' | 'takeback') => {
    if (game.rated && !game.result) setUnrating(what);
    else if (what === 'hint') void askHint();
    else void send('game.takeback');
  };
  const offerDraw = () => {
    if (here && !game.claim) {
      setAgreeing(true);
      return;
    }
    const offering = !game.claim && game.offer !== other(game.you!);
    void send('game.draw').then((next) => {
      if (!offering || !next || next.result) return;
      // An opponent that is not thinking answers at once.
      tell(next.offer === game.you ? t('draw.offered') : t('draw.declined'));
    });
  };
  const askHint = async () => {
    const stage = hint && hint.ply === game.ply ? 2 : 1;
    try {
      const answer = await ask('game.hint', { game: game.id, stage });
      setHint(answer);
      announce(answer.san ? t('hint.move', { move: sayMove(answer.san) }) : t('hint.from', { square: answer.from }));
    } catch (why) {
      tell((why as Error).message, true);
    }
  };
  const rematch = async () => {
    const next = await send('game.rematch');
    if (next) go(`game/${next.id}`);
  };

  useKeys({
    ArrowLeft: () => pick(shown - 1),
    ArrowRight: () => pick(shown + 1),
    Home: () => pick(0),
    ArrowUp: () => pick(0),
    End: () => pick(last),
    ArrowDown: () => pick(last),
    f: () => setFlipped(!flipped),
    '/': () => document.getElementById('typed-move')?.focus(),
    h: () => yourTurn && live && !game.people && assist('hint'),
    u: () => noTakeback === null && assist('takeback'),
  });

  // A move is shown while the server checks it, and reverted when it is refused.
  const asked = live && pending?.ply === game.ply ? (playLine(game.fen, [pending])[0] ?? null) : null;
  const fenAt = shown === 0 ? game.start_fen : game.moves[shown - 1]!.fen;
  const fen = asked ?? (live ? game.fen : fenAt);
  const shownMove = game.moves[shown - 1];
  const before = shown > 1 ? game.moves[shown - 2]!.fen : game.start_fen;
  const liveLast = asked ? squaresOf(pending!.uci, game.fen) : game.last;
  const lastShown = live ? liveLast : shownMove ? squaresOf(shownMove.uci, before) : null;
  const shapes: DrawShape[] = [];
  if (hint && live && hint.ply === game.ply) {
    if (hint.uci) {
      shapes.push({ orig: hint.from as Key, dest: hint.uci.slice(2, 4) as Key, brush: 'best' });
    } else shapes.push({ orig: hint.from as Key, brush: 'best' });
  }
  const clocks = clocksAt(game, shown);
  const strip = (color: Color) => (
    <PlayerStrip
      side={game[color]}
      color={color}
      captured={game.captured[other(color)]}
      lead={color === 'white' ? game.balance : -game.balance}
      clock={clocks}
      at={at}
      thinking={game.thinking && game.turn === color && !game.result}
      turn={game.turn === color && !game.result}
      you={game.you === color}
    />
  );

  return (
    <div class="stage">
      <h1 class="unseen">
        {t('against', { white: sideTitle(game.white), black: sideTitle(game.black) })}
      </h1>
      <div class="table">
        {strip(other(bottom))}
        <Board
          label={game.you ? t('game.yourBoard', { side: colorText(game.you) }) : t('board')}
          fen={fen}
          orientation={bottom}
          turn={live && !asked ? game.turn : turnOf(fen)}
          movable={live && !game.result && !game.seat && connected ? us : null}
          dests={yourTurn && !asked ? game.dests : {}}
          promotions={game.promotions}
          premove={game.you !== null && !here && !game.result}
          last={lastShown}
          check={live && !asked ? game.check : inCheck(fen)}
          shapes={shapes}
          version={turnBack}
          onMove={move}
        />
        {strip(bottom)}
      </div>
      <aside class="panel">
        {game.seat && !game.result ? (
          <Invitation game={game} send={send} />
        ) : (
          <GameStatus game={game} rematch={rematch} send={send} hint={hint} viewing={live ? null : shown} goBack={() => pick(last)} />
        )}
        <MoveList
          moves={game.moves}
          startFen={game.start_fen}
          current={shown}
          times={game.clock || game.kind === 'import' ? moveTimes(game) : undefined}
          onPick={pick}
        />
        <Stepper current={shown} last={last} onPick={pick} />
        {game.you && !game.result && !game.seat && (
          <TypedMove
            fen={game.fen}
            turn={game.turn}
            dests={yourTurn ? game.dests : {}}
            promotions={game.promotions}
            enabled={yourTurn && live}
            lastSan={game.moves[last - 1]?.san}
            clock={game.clock}
            onMove={move}
          />
        )}
        <div class="controls" role="group" aria-label={t('game')}>
          {game.kind === 'play' && game.you && (
            <>
              {(!game.result || noTakeback === null) && (
                <IconButton
                  icon="undo"
                  label={game.takeback === game.you ? t('takeback.requested') : t('takeback')}
                  text
                  disabled={noTakeback !== null || game.takeback === game.you}
                  why={noTakeback}
                  onClick={() => assist('takeback')}
                />
              )}
              {!game.result && (
                <>
                  {!game.people && (
                    <IconButton
                      icon="hint"
                      label={hint && !hint.uci ? t('hint.show') : t('hint')}
                      text
                      disabled={!yourTurn || !live || Boolean(hint?.uci)}
                      onClick={() => assist('hint')}
                    />
                  )}
                  <IconButton
                    icon="half"
                    label={drawLabel(game)}
                    text
                    disabled={game.offer === game.you || Boolean(game.seat)}
                    onClick={offerDraw}
                  />
                  <IconButton
                    icon="flag"
                    label={game.seat ? t('cancelGame') : t('resign')}
                    text
                    onClick={() => (confirmResign ? setResigning(true) : void send('game.resign'))}
                  />
                </>
              )}
            </>
          )}
          {game.kind === 'watch' && !game.result && (
            <>
              <IconButton
                icon={game.paused ? 'resume' : 'pause'}
                label={game.paused ? t('resume') : t('pause')}
                text
                onClick={() => void send(game.paused ? 'watch.resume' : 'watch.pause')}
              />
              <IconButton icon="stop" label={t('end')} text onClick={() => void send('game.resign')} />
            </>
          )}
          {game.result && (
            <>
              <a class="icon-button with-text" href="#/play">
                <Icon name="play" />
                <span>{t('newOpponent')}</span>
              </a>
              <a class="icon-button with-text" href={`/api/pgn?game=${game.id}`} download>
                <Icon name="download" />
                <span>PGN</span>
              </a>
              <a class="icon-button with-text" href={`#/analyse?game=${game.id}&ply=${shown}`}>
                <Icon name="analyse" />
                <span>{t('analyseFromHere')}</span>
              </a>
            </>
          )}
          {here && !game.result && (
            <IconButton
              icon="again"
              label={t('rotate')}
              text
              pressed={rotate}
              onClick={() => settings.update({ rotate: !rotate })}
            />
          )}
          <IconButton icon="flip" label={t('flip')} text onClick={() => setFlipped(!flipped)} />
        </div>
        {reader && <SpokenPosition fen={fen} turn={turnOf(fen)} />}
      </aside>
      {unrating && (
        <Confirm
          title={unrating === 'hint' ? t('unrate.hint') : t('unrate.takeback')}
          text={t('unrate.text')}
          yes={unrating === 'hint' ? t('unrate.showHint') : t('takeback')}
          harmless
          onYes={() => void (unrating === 'hint' ? askHint() : send('game.takeback'))}
          onClose={() => setUnrating(null)}
        />
      )}
      {agreeing && (
        <Confirm
          title={t('agree')}
          text={t('agree.text')}
          yes={t('outcome.draw')}
          harmless
          onYes={() => void send('game.draw')}
          onClose={() => setAgreeing(false)}
        />
      )}
      {resigning && (
        <Confirm
          title={game.seat ? t('cancelGame.ask') : here ? t('resign.askFor', { name: sideTitle(game[game.turn]) }) : t('resign.ask')}
          text={game.seat ? t('cancelGame.text') : t('resign.text')}
          yes={game.seat ? t('cancelGame') : t('resign')}
          onYes={() => void send('game.resign')}
          onClose={() => setResigning(false)}
        />
      )}
    </div>
  );
}

function drawLabel(game: Game): string {
  if (game.claim) return t('draw.claim');
  if (game.people === 'here') return t('outcome.draw');
  if (game.offer === null) return t('draw.offer');
  return game.offer === game.you ? t('draw.isOffered') : t('draw.accept');
}

// Why nothing can be taken back; null when it can.
function whyNoTakeback(game: Game): string | null {
  if (game.you === null || game.kind !== 'play') return t('takeback.notYours');
  if (game.people === 'here') return game.moves.length ? null : t('moves.none');
  if (game.people && game.result) return t('takeback.over');
  if (game.result && game.rated) return t('takeback.rated');
  const first = turnOf(game.start_fen) === game.you ? 0 : 1;
  return game.moves.length > first ? null : t('takeback.noMove');
}

