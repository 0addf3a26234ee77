// Training: the player's own mistakes as exercises.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { useEffect, useState } from 'preact/hooks';
import { announce, tellError } from '../lib/announce';
import { inCheck, squaresOf, turnOf } from '../lib/chess';
import { dayText, plural, sentence, untilText } from '../lib/format';
import { ask, link, refreshSession } from '../lib/net';
import type { Mistake, Queue, ShownAnswer, TryAnswer } from '../lib/protocol';
import { go, route } from '../lib/router';
import { settings } from '../lib/settings';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { useStore } from '../lib/use';
import { Board } from '../parts/Board';
import { Empty, IconButton, useKeys, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';
import { LABELS } from '../parts/MoveList';
import { SpokenPosition, TypedMove } from '../parts/TypedMove';

export function TrainScreen({ id }: { id: number | null }) {
  useTitle('Train');
  const { state } = useStore(link);
  const game = useStore(route).query.get('game');
  const [queue, setQueue] = useState<Queue | null>(null);
  const [single, setSingle] = useState<Mistake | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  // Exercises finished in this visit, oldest first: they come behind all others.
  const [finished, setFinished] = useState<number[]>([]);

  const load = () => {
    setSingle(null);
    setMissing(null);
    if (id !== null) {
      ask('train.get', { mistake: id }).then(({ mistake }) => setSingle(mistake), (why: Error) => setMissing(why.message));
    }
    ask('train.queue', {}).then(setQueue, tellError);
  };
  useEffect(() => {
    if (state === 'open') load();
  }, [id, state]);

  if (missing) {
    return (
      <Empty icon="learn" title="Exercise not found">
        <p>{missing}</p>
        <a class="button" href="#/train">
          Training
        </a>
      </Empty>
    );
  }
  const mistake = id !== null ? single : nextOf(queue?.mistakes ?? [], finished);
  if (mistake) {
    return (
      <Exercise
        key={mistake.id}
        first={mistake}
        due={queue?.due ?? 0}
        back={game === null ? null : `#/review/${game}`}
        next={() => {
          setFinished([...finished.filter((one) => one !== mistake.id), mistake.id]);
          void refreshSession();
          if (id !== null) go('train');
          else load();
        }}
      />
    );
  }
  if (!queue || (id !== null && !single)) return <div class="stage waiting" aria-busy="true" />;
  return (
    <Empty icon="learn" title={queue.total ? 'No exercises due' : 'No exercises yet'}>
      {queue.total ? (
        <p>
          {plural(queue.total, 'exercise')} in your collection
          {queue.next ? `; the next one is due ${untilText(queue.next)}.` : '.'}
        </p>
      ) : (
        <p>Play a game and review it. Your mistakes are collected here as exercises.</p>
      )}
      <a class="button primary" href="#/play">
        Play
      </a>
    </Empty>
  );
}

// The first exercise that was not finished in this visit, otherwise the one finished longest ago.
function nextOf(mistakes: Mistake[], finished: number[]): Mistake | null {
  const rank = (one: Mistake) => finished.indexOf(one.id);
  return [...mistakes].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

type Stage =
  | { name: 'ask' }
  | { name: 'wrong'; answer: TryAnswer; seen: 'move' | 'reply' }
  | { name: 'solved'; answer: TryAnswer; shown: ShownAnswer | null }
  | { name: 'shown'; shown: ShownAnswer };

function Exercise(props: { first: Mistake; due: number; back: string | null; next: () => void }) {
  const { first } = props;
  const { reader } = useStore(settings);
  const [stage, setStage] = useState<Stage>({ name: 'ask' });
  const [hint, setHint] = useState<string | null>(null);
  const [flipped, setFlipped] = useState(false);
  const [version, setVersion] = useState(0);
  const [tried, setTried] = useState<string | null>(null);
  const [counts, setCounts] = useState({ solved: first.solved, failed: first.failed });

  const attempt = async (uci: string) => {
    try {
      const answer = await ask('train.try', { mistake: first.id, uci });
      setHint(null);
      setTried(uci);
      setCounts({ solved: answer.mistake.solved, failed: answer.mistake.failed });
      play(soundOfMove(answer.san));
      if (answer.verdict === 'wrong') {
        setStage({ name: 'wrong', answer, seen: 'move' });
        announce(`${sayMove(answer.san)} is not the best move.`);
        setTimeout(() => {
          play('wrong');
          setStage((now) => (now.name === 'wrong' && now.answer === answer ? { ...now, seen: 'reply' } : now));
        }, 500);
        return;
      }
      announce(`${sayMove(answer.san)}: correct.`);
      setTimeout(() => play('right'), 200);
      setStage({ name: 'solved', answer, shown: null });
      const shown = await ask('train.show', { mistake: first.id });
      setStage((now) => (now.name === 'solved' ? { ...now, shown } : now));
    } catch (why) {
      setVersion((count) => count + 1);
      tellError(why);
    }
  };
  const again = () => {
    setStage({ name: 'ask' });
    setVersion((count) => count + 1);
    announce('Move taken back. Try again.');
  };
  const askHint = () =>
    ask('train.hint', { mistake: first.id }).then(({ from }) => {
      setHint(from);
      announce(`The piece on ${from}`);
    }, tellError);
  const show = () =>
    ask('train.show', { mistake: first.id }).then((shown) => {
      setStage({ name: 'shown', shown });
      announce(`The best move was ${sayMove(shown.best.san)}`);
    }, tellError);

  useKeys({
    f: () => setFlipped(!flipped),
    h: () => stage.name === 'ask' && void askHint(),
    u: () => stage.name === 'wrong' && again(),
    n: () => (stage.name === 'solved' || stage.name === 'shown') && props.next(),
    '/': () => document.getElementById('typed-move')?.focus(),
  });

  const board = boardOf(first, stage, tried);
  const shapes = shapesOf(stage, hint);
  const bottom = flipped ? (first.color === 'white' ? 'black' : 'white') : first.color;
  const asking = stage.name === 'ask';
  return (
    <div class="stage train">
      <div class="table">
        <div class="review-head">
          <h1>Find the better move</h1>
          <span>{first.color === 'white' ? 'White' : 'Black'} to move</span>
        </div>
        <Board
          label={`Exercise, ${first.color} to move`}
          fen={board.fen}
          orientation={bottom}
          turn={asking ? first.color : turnOf(board.fen)}
          movable={asking ? first.color : null}
          dests={asking ? first.dests : {}}
          promotions={first.promotions}
          last={board.last}
          check={inCheck(board.fen)}
          shapes={shapes}
          version={version}
          onMove={(uci) => void attempt(uci)}
        />
      </div>
      <aside class="panel">
        <section class={`status exercise ${stage.name}`} aria-live="polite">
          <Told first={first} stage={stage} again={again} />
        </section>
        {asking && (
          <TypedMove
            fen={first.fen}
            turn={first.color}
            dests={first.dests}
            promotions={first.promotions}
            enabled
            onMove={(uci) => void attempt(uci)}
          />
        )}
        <div class="controls" role="group" aria-label="Exercise">
          {(asking || stage.name === 'wrong') && (
            <>
              <IconButton icon="hint" label="Hint" text disabled={!asking || hint !== null} onClick={() => void askHint()} />
              <IconButton icon="watch" label="Show answer" text onClick={() => void show()} />
            </>
          )}
          {(stage.name === 'solved' || stage.name === 'shown') && props.due > 0 && (
            <button type="button" class="primary" onClick={props.next}>
              Next <Icon name="next" />
            </button>
          )}
          <IconButton icon="flip" label="Flip" text onClick={() => setFlipped(!flipped)} />
          <IconButton
            icon="trash"
            label="Remove"
            text
            onClick={() => void ask('train.drop', { mistake: first.id }).then(props.next, tellError)}
          />
        </div>
        {props.back && (
          <a class="button plain" href={props.back}>
            <Icon name="prev" /> Back to review
          </a>
        )}
        <p class="facts">
          <span>
            {first.opponent}, {dayText(first.at)}
          </span>
          <span>
            solved {counts.solved}, failed {counts.failed}
          </span>
          {props.due > 0 && <span>{props.due} due</span>}
        </p>
        {reader && <SpokenPosition fen={board.fen} turn={turnOf(board.fen)} />}
      </aside>
    </div>
  );
}

function boardOf(first: Mistake, stage: Stage, tried: string | null) {
  if (stage.name === 'wrong') {
    const { answer, seen } = stage;
    if (seen === 'reply' && answer.reply) {
      return { fen: answer.reply.fen, last: squaresOf(answer.reply.uci, answer.fen) };
    }
    return { fen: answer.fen, last: tried ? squaresOf(tried, first.fen) : null };
  }
  if (stage.name === 'solved') return { fen: stage.answer.fen, last: tried ? squaresOf(tried, first.fen) : null };
  return { fen: first.fen, last: first.last };
}

function shapesOf(stage: Stage, hint: string | null): DrawShape[] {
  if (stage.name === 'ask' && hint) return [{ orig: hint as Key, brush: 'best' }];
  if (stage.name === 'shown') {
    return stage.shown.best.line.slice(0, 3).map((step, i) => ({
      orig: step.uci.slice(0, 2) as Key,
      dest: step.uci.slice(2, 4) as Key,
      brush: ['best', 'next', 'later'][i]!,
    }));
  }
  return [];
}

function Told({ first, stage, again }: { first: Mistake; stage: Stage; again: () => void }) {
  const played = (
    <>
      You played <b>{first.played.san}</b>, a {LABELS[first.label]}.
    </>
  );
  switch (stage.name) {
    case 'ask':
      return (
        <>
          <h2>Find the best move</h2>
          <p>{played} Find a better move.</p>
        </>
      );
    case 'wrong':
      return (
        <>
          <h2>
            <Icon name="close" /> {stage.answer.san} is not the best move
          </h2>
          <p>{stage.answer.reply ? <>The reply is {stage.answer.reply.san}.</> : 'There is a better move.'}</p>
          <div class="buttons">
            <button type="button" class="primary" onClick={again}>
              <Icon name="undo" /> Take back and try again
            </button>
          </div>
        </>
      );
    case 'solved':
      return (
        <>
          <h2>
            <Icon name="check" /> {stage.answer.verdict === 'best' ? 'Best move' : 'Good move'}
          </h2>
          <p>
            {played} {stage.shown?.reason && sentence(stage.shown.reason)}
          </p>
          {stage.shown && <Line shown={stage.shown} />}
        </>
      );
    case 'shown':
      return (
        <>
          <h2>{stage.shown.best.san} was better</h2>
          <p>
            {played} {stage.shown.reason && sentence(stage.shown.reason)}
          </p>
          <Line shown={stage.shown} />
        </>
      );
  }
}

function Line({ shown }: { shown: ShownAnswer }) {
  return <p class="line-text">{shown.best.line.slice(0, 8).map((step) => step.san).join(' ')}</p>;
}
