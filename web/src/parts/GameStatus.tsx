// What the panel beside a game says: whose move it is, offers, hints, and the result.
import { controlText, plural } from '../lib/format';
import type { OpenGame } from '../lib/game';
import type { Game } from '../lib/protocol';
import { Icon } from './Icon';

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
          Accept
        </button>
        <button type="button" class="plain small" onClick={props.decline}>
          Decline
        </button>
      </span>
    </div>
  );
}

function yourResult(game: Game): string {
  const { winner, score } = game.result!;
  if (score === '*') return 'Game aborted';
  if (winner === null) return 'Draw';
  if (game.you === null || game.people === 'here') return `${game[winner].title} wins`;
  return winner === game.you ? 'You won' : 'You lost';
}

// The state of the game; constant height, so that nothing below it moves.
export function GameStatus(props: {
  game: Game;
  hint: Hint | null;
  rematch: () => Promise<void>;
  send: OpenGame['send'];
}) {
  const { game, send } = props;
  const said = game.talk[game.talk.length - 1];
  if (game.result) {
    const change = game.rating_change;
    return (
      <section class={`status result ${outcome(game)}`} aria-label="Result">
        <h2>
          {yourResult(game)} <span class="score">{game.result.score.replace('1/2-1/2', '½–½').replace('-', '–')}</span>
        </h2>
        <p>
          {game.result.text}.
          {change && (
            <span class="change">
              {' '}
              Your rating: {Math.round(change.before)} → <b>{Math.round(change.after)}</b>
            </span>
          )}
        </p>
        <div class="buttons">
          {game.kind === 'play' && game.you && !game.seat && (
            <button type="button" class="primary" onClick={() => void props.rematch()}>
              <Icon name="again" /> {game.people === 'invited' && game.next ? 'Accept rematch' : 'Rematch'}
            </button>
          )}
          {game.ply > 0 && (
            <a class="button" href={`#/review/${game.id}?start`}>
              <Icon name="learn" /> Review
            </a>
          )}
        </div>
      </section>
    );
  }
  const offered = game.offer && game.offer !== game.you && game.you;
  const taking = game.takeback && game.takeback !== game.you && game.you;
  return (
    <section class="status" aria-label="Game status">
      <p class="opening">
        {game.opening ? (
          <>
            <b>{game.opening.eco}</b> {game.opening.name}
          </>
        ) : (
          'Start position'
        )}
      </p>
      {offered ? (
        <Offer
          text={`${game[game.offer!].title} offers a draw.`}
          accept={() => void send('game.draw')}
          decline={() => void send('game.decline')}
        />
      ) : taking ? (
        <Offer
          text={`${game[game.takeback!].title} asks to take back a move.`}
          accept={() => void send('game.takeback')}
          decline={() => void send('game.decline')}
        />
      ) : props.hint?.san ? (
        <p class="say">
          Hint: <b>{props.hint.san}</b>.
        </p>
      ) : props.hint ? (
        <p class="say">
          Hint: move the piece on <b>{props.hint.from}</b>.
        </p>
      ) : game.claim ? (
        <p class="say">You can claim a draw: {game.claim}.</p>
      ) : said ? (
        <blockquote class="say">
          “{said.text}” <cite>{game[said.side].title}</cite>
        </blockquote>
      ) : (
        <p class="quiet">{turnWords(game)}</p>
      )}
      <p class="facts">
        <span>{controlText(game.clock)}</span>
        {game.variant === 'chess960' && <span>Chess960</span>}
        {game.kind === 'play' && <span>{game.rated ? 'Rated' : 'Unrated'}</span>}
        {game.takebacks > 0 && <span>{plural(game.takebacks, 'takeback')}</span>}
        {game.hints > 0 && <span>{plural(game.hints, 'hint')}</span>}
      </p>
    </section>
  );
}

function turnWords(game: Game): string {
  if (game.you === null || game.people === 'here') {
    return game.paused ? 'Paused.' : `${game[game.turn].title} to move.`;
  }
  if (game.people && game.turn !== game.you) return `${game[game.turn].title} to move.`;
  return game.turn === game.you ? 'Your move.' : `${game[game.turn].title} is thinking.`;
}

function outcome(game: Game): string {
  const { winner } = game.result!;
  if (winner === null || game.you === null || game.people === 'here') return 'even';
  return winner === game.you ? 'won' : 'lost';
}
