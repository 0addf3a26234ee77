// The review of a game: evaluation graph, mistakes with their reasons, and better moves.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, tellError } from '../lib/announce';
import { inCheck, other, playLine, squaresOf, turnOf } from '../lib/chess';
import { percentText, sanText, scoreSign, scoreText, scoreWords, sentence, sideTitle, versusText } from '../lib/format';
import { useGame } from '../lib/game';
import { ask, hear, link, refreshSession } from '../lib/net';
import type { Color, Game, JudgedMove, Review, ReviewResult, Step } from '../lib/protocol';
import { reasonText } from '../lib/reason';
import { route } from '../lib/router';
import { sayMove } from '../lib/speech';
import { fromService, t } from '../lib/text';
import { hasTimes, moveTimes } from '../lib/times';
import { useStore } from '../lib/use';
import { Board } from '../parts/Board';
import { Empty, IconButton, useKeys, useTitle } from '../parts/common';
import { EvaluationBar } from '../parts/EvaluationBar';
import { EvaluationGraph } from '../parts/Graph';
import { Icon } from '../parts/Icon';
import { labelText, MoveList, moveNumberText, Stepper } from '../parts/MoveList';
import { ReviewExport } from '../parts/ReviewExport';
import { LineSteps } from '../parts/Solve';
import { TheoryLine } from '../parts/TheoryLine';
import { TimeGraph } from '../parts/TimeGraph';
import { Learn } from './Learn';

function useReview(id: number, ready: boolean): { review: Review | null; start: (effort: Effort) => void } {
  const { state } = useStore(link);
  const [review, setReview] = useState<Review | null>(null);
  // Whoever comes by a "Review" button has asked for it already; once, so that a cancelled one stays cancelled.
  const wanted = useRef(route.get().query.has('start'));
  useEffect(() => {
    if (state !== 'open' || !ready) return;
    const silence = hear('review', (next) => {
      if (next.game !== id) return;
      setReview(next);
      if (next.state === 'done') void refreshSession();
    });
    ask('review.get', { game: id }).then(({ review: found }) => {
      if (found.state === 'none' && wanted.current) start('normal');
      else setReview(found);
      wanted.current = false;
      if (location.hash === `#/review/${id}?start`) history.replaceState(history.state, '', `#/review/${id}`);
    }, tellError);
    return silence;
  }, [id, state, ready]);
  const start = (effort: Effort) => {
    ask('review.start', { game: id, effort }).then(
      ({ review: begun }) => setReview(begun),
      (why) => {
        setReview((before) => before ?? { game: id, state: 'none', done: 0, total: 0 });
        tellError(why);
      },
    );
  };
  return { review, start };
}

type Effort = 'quick' | 'normal' | 'deep';

export function ReviewScreen({ id }: { id: number }) {
  const { game, missing } = useGame(id);
  const { review, start } = useReview(id, game !== null);
  useTitle(t('review'));
  if (missing) {
    return (
      <Empty icon="games" title={t('game.missing')}>
        <p>{sentence(missing)}</p>
      </Empty>
    );
  }
  if (!game || !review) return <div class="stage waiting" aria-busy="true" />;
  return <OpenedReview game={game} review={review} start={start} />;
}

const ARROWS = ['best', 'next', 'later', 'later'];

function arrows(line: Step[], from: number): DrawShape[] {
  return line.slice(from, from + 3).map((step, i) => ({
    orig: step.uci.slice(0, 2) as Key,
    dest: step.uci.slice(2, 4) as Key,
    brush: ARROWS[i]!,
  }));
}

function OpenedReview({ game, review, start }: { game: Game; review: Review; start: (effort: Effort) => void }) {
  const result = review.state === 'done' ? review.result : undefined;
  const [ply, setPly] = useState(() => game.moves.length);
  const [flipped, setFlipped] = useState(false);
  // How far into the better line the board is; null: the game itself is shown.
  const [ahead, setAhead] = useState<number | null>(null);
  const [opened, setOpened] = useState<Set<number>>(new Set());
  const [exporting, setExporting] = useState(false);
  const [showTimes, setShowTimes] = useState(false);
  const times = moveTimes(game);
  const timed = hasTimes(times);
  const [learning, setLearning] = useState<number | null>(null); // the ply to begin with

  const judged = result?.moves[ply - 1];
  const hidden = judged?.mistake !== undefined && !opened.has(ply);
  const line = judged?.best && !hidden ? judged.best.line : [];
  const before = ply > 1 ? game.moves[ply - 2]!.fen : game.start_fen;
  const after = ply > 0 ? game.moves[ply - 1]!.fen : game.start_fen;

  const pick = (to: number) => {
    const next = Math.max(0, Math.min(game.moves.length, to));
    setPly(next);
    setAhead(null);
    const move = game.moves[next - 1];
    const label = result?.moves[next - 1]?.label;
    announce(move ? `${sayMove(move.san)}${label ? `, ${labelText(label)}` : ''}` : t('startPosition'));
  };
  const nextMistake = (direction: 1 | -1) => {
    const faults = (result?.moves ?? []).filter(isFault).map((move) => move.ply);
    if (direction < 0) faults.reverse();
    // Behind the last one comes the first again.
    const next = faults.find((at) => (at - ply) * direction > 0) ?? faults[0];
    if (next !== undefined) pick(next);
  };

  const keys = {
    ArrowLeft: () => (ahead === null ? pick(ply - 1) : setAhead(ahead > 0 ? ahead - 1 : null)),
    ArrowRight: () => (ahead === null ? pick(ply + 1) : setAhead(Math.min(line.length, ahead + 1))),
    Home: () => pick(0),
    End: () => pick(game.moves.length),
    f: () => setFlipped(!flipped),
    n: () => nextMistake(1),
    p: () => nextMistake(-1),
  };
  useKeys(learning === null ? keys : {});

  const fens = ahead === null ? [] : [before, ...playLine(before, line)];
  const fen = ahead === null ? after : (fens[Math.min(ahead, fens.length - 1)] ?? before);
  const stepped = ahead !== null && ahead > 0 ? line[ahead - 1] : undefined;
  const last =
    ahead === null
      ? ply > 0
        ? squaresOf(game.moves[ply - 1]!.uci, before)
        : null
      : stepped
        ? squaresOf(stepped.uci, fens[ahead - 1])
        : null;
  let shapes: DrawShape[] = [];
  if (ahead !== null) shapes = arrows(line, ahead);
  else if (judged?.reply && !hidden && isFault(judged)) {
    const reply = judged.reply.line[0];
    if (reply) shapes = [{ orig: reply.uci.slice(0, 2) as Key, dest: reply.uci.slice(2, 4) as Key, brush: 'threat' }];
  }
  const bottom: Color = flipped ? other(game.you ?? 'white') : (game.you ?? 'white');
  const score = ply === 0 ? result?.start.score : judged?.score;

  const yours = result?.moves.filter((move) => move.mistake !== undefined) ?? [];
  if (learning !== null) {
    return (
      <Learn
        game={game}
        moves={yours}
        first={learning}
        close={() => {
          setOpened(new Set([...opened, ...yours.map((move) => move.ply)]));
          setLearning(null);
        }}
      />
    );
  }
  return (
    <div class="stage review">
      <h1 class="unseen">
        {t('review.of', { white: sideTitle(game.white), black: sideTitle(game.black) })}
      </h1>
      <div class="table">
        <div class="review-head">
          <b>
            {versusText(game)}
          </b>
          <span>{game.result && scoreSign(game.result)}</span>
          <span class="eval" title={score ? scoreWords(score) : ''}>
            {score ? scoreText(score) : ''}
          </span>
        </div>
        <div class="board-row">
          {result && <EvaluationBar white={ply === 0 ? result.start.win : judged!.win} bottom={bottom} />}
          <Board
            label={t('review.board')}
            fen={fen}
            orientation={bottom}
            turn={turnOf(fen)}
            check={inCheck(fen)}
            last={last}
            shapes={shapes}
          />
        </div>
        <div class="graph-place">
          {showTimes ? (
            <TimeGraph game={game} times={times} current={ply} onPick={pick} />
          ) : result ? (
            <EvaluationGraph start={result.start.win} moves={result.moves} current={ply} onPick={pick} />
          ) : (
            <div class="graph pending" />
          )}
        </div>
      </div>
      <aside class="panel">
        {result ? <Summary game={game} result={result} learn={yours.length ? () => setLearning(yours[0]!.ply) : null} /> : <Progress review={review} start={start} game={game} />}
        {result && (
          <Comment
            game={game}
            ply={ply}
            judged={judged}
            hidden={hidden}
            ahead={ahead}
            solve={() => setLearning(ply)}
            show={() => setOpened(new Set([...opened, ply]))}
            setAhead={setAhead}
            nextMistake={nextMistake}
          />
        )}
        <MoveList
          moves={game.moves}
          startFen={game.start_fen}
          current={ply}
          labels={result?.moves.map((move) => move.label)}
          times={timed ? times : undefined}
          onPick={pick}
        />
        {result && <TheoryLine game={game} />}
        <Stepper current={ply} last={game.moves.length} onPick={pick} />
        <div class="controls" role="group" aria-label={t('review')}>
          <IconButton icon="flip" label={t('flip')} text onClick={() => setFlipped(!flipped)} />
          <a class="icon-button with-text" href={`#/analyse?game=${game.id}&ply=${ply}`}>
            <Icon name="analyse" />
            <span>{t('nav.analyse')}</span>
          </a>
          <IconButton icon="download" label={t('export')} text onClick={() => setExporting(true)} />
          {timed && (
            <IconButton icon="stats" label={t('review.times')} text pressed={showTimes} onClick={() => setShowTimes(!showTimes)} />
          )}
          {result && <IconButton icon="again" label={t('review.deeper')} text onClick={() => start('deep')} />}
        </div>
      </aside>
      {exporting && (
        <ReviewExport game={game} result={result} ply={ply} bottom={bottom} close={() => setExporting(false)} />
      )}
    </div>
  );
}

const isFault = (move: JudgedMove): boolean =>
  move.label === 'inaccuracy' || move.label === 'mistake' || move.label === 'blunder';

function Progress({ review, start, game }: { review: Review; start: (effort: Effort) => void; game: Game }) {
  const busy = review.state === 'queued' || review.state === 'running';
  if (!busy) {
    return (
      <section class="status" aria-label={t('review')}>
        <h2>{t('review.this')}</h2>
        {review.state === 'failed' && <p class="bad">{t('review.failed', { why: fromService(review.message ?? '') })}</p>}
        {game.result || game.kind !== 'play' ? (
          <>
            <p>{t('review.about')}</p>
            <div class="buttons">
              <button type="button" class="primary" onClick={() => start('normal')}>
                {t('review.start')}
              </button>
              <button type="button" class="plain" onClick={() => start('quick')}>
                {t('review.quick')}
              </button>
              <button type="button" class="plain" onClick={() => start('deep')}>
                {t('review.deep')}
              </button>
            </div>
          </>
        ) : (
          <p>{t('review.unfinished')}</p>
        )}
      </section>
    );
  }
  return (
    <section class="status" aria-label={t('review')}>
      <h2>{review.state === 'queued' ? t('review.queued') : t('review.running')}</h2>
      <p>
        {t('review.progress', { done: review.done, total: review.total })}
      </p>
      <progress aria-label={t('review.progressLabel')} max={review.total || 1} value={review.done} />
      <div class="buttons">
        <button type="button" class="plain" onClick={() => ask('review.cancel', { game: game.id }).catch(tellError)}>
          {t('cancel')}
        </button>
      </div>
    </section>
  );
}

function Summary({ game, result, learn }: { game: Game; result: ReviewResult; learn: (() => void) | null }) {
  const count = result.moves.filter((move) => move.mistake !== undefined).length;
  return (
    <>
      <SummaryTable game={game} result={result} />
      {learn && (
        <button type="button" class="learn" onClick={learn}>
          <Icon name="learn" /> {t('review.learn', { n: count })}
        </button>
      )}
    </>
  );
}

function SummaryTable({ game, result }: { game: Game; result: ReviewResult }) {
  return (
    <table class="summary">
      <caption class="unseen">{t('review.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">{t('review.player')}</span>
          </th>
          <th scope="col">{t('review.accuracy')}</th>
          <th scope="col" title={t('review.inaccuracies')}>
            ?!<span class="unseen"> {t('review.inaccuracies')}</span>
          </th>
          <th scope="col" title={t('review.mistakes')}>
            ?<span class="unseen"> {t('review.mistakes')}</span>
          </th>
          <th scope="col" title={t('review.blunders')}>
            ??<span class="unseen"> {t('review.blunders')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {(['white', 'black'] as const).map((color) => (
          <tr key={color} class={game.you === color ? 'you' : ''}>
            <th scope="row">
              <piece class={`pawn ${color}`} /> {sideTitle(game[color])}
            </th>
            <td class="accuracy">{percentText(result.accuracy[color])}</td>
            <td>{result.counts[color].inaccuracy}</td>
            <td>{result.counts[color].mistake}</td>
            <td>{result.counts[color].blunder}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Comment(props: {
  game: Game;
  ply: number;
  judged: JudgedMove | undefined;
  hidden: boolean;
  ahead: number | null;
  solve: () => void;
  show: () => void;
  setAhead: (ahead: number | null) => void;
  nextMistake: (direction: 1 | -1) => void;
}) {
  const { game, ply, judged, hidden, ahead, setAhead } = props;
  const move = game.moves[ply - 1];
  const before = game.moves[ply - 2]?.fen ?? game.start_fen;
  const label = judged?.label;
  return (
    <section class={`comment ${label ?? ''}`} aria-label={t('review.aboutMove')}>
      <header>
        <h2>
          {move ? `${moveNumberText(game.start_fen, ply - 1)} ${sanText(move.san)}` : t('startPosition')}
          {label && <span class={`label ${label}`}>{labelText(label)}</span>}
        </h2>
        <span class="buttons">
          <IconButton icon="prev" label={t('review.prevMistake')} onClick={() => props.nextMistake(-1)} />
          <IconButton icon="next" label={t('review.nextMistake')} onClick={() => props.nextMistake(1)} />
        </span>
      </header>
      {hidden ? (
        <>
          <p>{t('review.hidden')}</p>
          <div class="buttons">
            <button type="button" class="primary" onClick={props.solve}>
              <Icon name="again" /> {t('review.solve')}
            </button>
            <button type="button" class="plain" onClick={props.show}>
              {t('showAnswer')}
            </button>
          </div>
        </>
      ) : (
        <>
          <p>{remark(judged, turnOf(before))}</p>
          {judged?.best && isFault(judged) && (
            <LineSteps label={t('betterLine')} fen={before} line={judged.best.line.slice(0, 8)} ahead={ahead} pick={setAhead}>
              <button
                type="button"
                class={`plain small${ahead === 0 ? ' on' : ''}`}
                aria-pressed={ahead !== null}
                onClick={() => setAhead(ahead === null ? 0 : null)}
              >
                {ahead === null ? t('review.showLine') : t('backToGame')}
              </button>
            </LineSteps>
          )}
        </>
      )}
    </section>
  );
}

// Winning chances of the side that moved, in percent: before the move, and after it.
function faultText(judged: JudgedMove, color: Color): string {
  const name = sentence(labelText(judged.label!)).replace('.', '');
  const mover = chancesOf(judged, color);
  const after = Math.round(mover);
  const before = Math.min(100, Math.round(mover + judged.loss));
  const better = judged.best ? ` ${t('review.better', { move: sanText(judged.best.san) })}` : '';
  return `${name}: ${t('review.fall', { before: percentText(before), after: percentText(after) })}${better}`;
}

const chancesOf = (judged: JudgedMove, color: Color): number => (color === 'white' ? judged.win : 100 - judged.win);

function onlyMove(judged: JudgedMove, color: Color): string {
  const mover = chancesOf(judged, color);
  if (mover > 70) return t('review.only.advantage');
  if (mover < 30) return t('review.only.lost');
  return t('review.only.balance');
}

function remark(judged: JudgedMove | undefined, color: Color): string {
  if (!judged) return t('review.stepHint');
  if (judged.reason) return reasonText(judged);
  if (judged.label === 'only') return onlyMove(judged, color);
  if (judged.label === 'book') return t('review.bookMove');
  if (isFault(judged)) {
    return faultText(judged, color);
  }
  return sentence(scoreWords(judged.score));
}
