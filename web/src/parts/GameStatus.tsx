// What the panel beside a game says: whose move it is, offers, hints, and the result.
import { claimText, controlText, resultText, sanText, scoreSign, sideTitle } from '../lib/format';
import type { OpenGame } from '../lib/game';
import type { Game } from '../lib/protocol';
import { rich, t } from '../lib/text';
import { Icon } from './Icon';
import { numberAt } from './MoveList';

export interface Hint {
  ply: number;
  from: string;
  uci?: string;
  san?: string;
}

function Offer(props: { text: string; accept: () => void; decline: () => void }) {
  return (
    <div class="offer">
      <span>{props.text}</span>
      <span class="buttons">
        <button type="button" class="primary small" onClick={props.accept}>
          {t('accept')}
        </button>
        <button type="button" class="plain small" onClick={props.decline}>
          {t('decline')}
        </button>
      </span>
    </div>
  );
}

function Viewing(props: { game: Game; ply: number; goBack: () => void }) {
  const { number } = numberAt(props.game.start_fen, props.ply - 1);
  return (
    <p class="viewing" role="status">
      {props.ply > 0 ? t('game.viewing', { number }) : t('game.viewingStart')}{' '}
      <button type="button" class="plain small" onClick={props.goBack}>
        {t('backToGame')}
      </button>
    </p>
  );
}

function yourResult(game: Game): string {
  const { winner, score } = game.result!;
  if (score === '*') return t('result.aborted');
  if (winner === null) return t('outcome.draw');
  if (game.you === null || game.people === 'here') return t('outcome.wins', { side: sideTitle(game[winner]) });
  return winner === game.you ? t('result.won') : t('result.lost');
}

// The state of the game; constant height, so that nothing below it moves.
export function GameStatus(props: {
  game: Game;
  hint: Hint | null;
  viewing: number | null; // half moves: an earlier position is on the board
  goBack: () => void;
  rematch: () => Promise<void>;
  send: OpenGame['send'];
}) {
  const { game, send } = props;
  const said = game.talk[game.talk.length - 1];
  if (game.result) {
    const change = game.rating_change;
    return (
      <section class={`status result ${outcome(game)}`} aria-label={t('result')}>
        <h2>
          {yourResult(game)} <span class="score">{scoreSign(game.result)}</span>
        </h2>
        <p>
          {resultText(game.result)}.
          {change && (
            <span class="change">
              {' '}
              {t('yourRating')} {Math.round(change.before)} → <b>{Math.round(change.after)}</b>
            </span>
          )}
        </p>
        <div class="buttons">
          {game.kind === 'play' && game.you && !game.seat && (
            <button type="button" class="primary" onClick={() => void props.rematch()}>
              <Icon name="again" /> {game.people === 'invited' && game.next ? t('rematch.accept') : t('rematch')}
            </button>
          )}
          {game.ply > 0 && (
            <a class="button" href={`#/review/${game.id}?start`}>
              <Icon name="learn" /> {t('review')}
            </a>
          )}
        </div>
      </section>
    );
  }
  const offered = game.offer && game.offer !== game.you && game.you;
  const taking = game.takeback && game.takeback !== game.you && game.you;
  return (
    <section class="status in-play" aria-label={t('status')}>
      <p class="opening">
        {game.opening ? (
          <>
            <b>{game.opening.eco}</b> {game.opening.name}
          </>
        ) : (
          t('startPosition')
        )}
      </p>
      {offered ? (
        <Offer
          text={t('offersDraw', { name: sideTitle(game[game.offer!]) })}
          accept={() => void send('game.draw')}
          decline={() => void send('game.decline')}
        />
      ) : taking ? (
        <Offer
          text={t('asksTakeback', { name: sideTitle(game[game.takeback!]) })}
          accept={() => void send('game.takeback')}
          decline={() => void send('game.decline')}
        />
      ) : props.viewing !== null ? (
        <Viewing game={game} ply={props.viewing} goBack={props.goBack} />
      ) : props.hint?.san ? (
        <p class="say">{rich('hint.move', { move: <b>{sanText(props.hint.san)}</b> })}</p>
      ) : props.hint ? (
        <p class="say">{rich('hint.from', { square: <b>{props.hint.from}</b> })}</p>
      ) : game.claim ? (
        <p class="say">{t('claim', { reason: claimText(game.claim) })}</p>
      ) : said ? (
        <blockquote class="say">
          “{said.text}” <cite>{sideTitle(game[said.side])}</cite>
        </blockquote>
      ) : (
        <p class="quiet">{turnWords(game)}</p>
      )}
      <p class="facts">
        <span>{controlText(game.clock)}</span>
        {game.variant === 'chess960' && <span>Chess960</span>}
        {game.kind === 'play' && <span>{game.rated ? t('rated') : t('unrated')}</span>}
        {game.takebacks > 0 && <span>{t('takebacks', { n: game.takebacks })}</span>}
        {game.hints > 0 && <span>{t('hints', { n: game.hints })}</span>}
      </p>
    </section>
  );
}

function turnWords(game: Game): string {
  if (game.you === null || game.people === 'here') {
    return game.paused ? t('paused') : t('turn.of', { name: sideTitle(game[game.turn]) });
  }
  if (game.people && game.turn !== game.you) return t('turn.of', { name: sideTitle(game[game.turn]) });
  return game.turn === game.you ? t('turn.yours') : t('turn.thinking', { name: sideTitle(game[game.turn]) });
}

function outcome(game: Game): string {
  const { winner } = game.result!;
  if (winner === null || game.you === null || game.people === 'here') return 'even';
  return winner === game.you ? 'won' : 'lost';
}
