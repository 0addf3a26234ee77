// The mistakes of one game, solved one after the other inside its review, and a summary of how it went.
import { useEffect, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { plural } from '../lib/format';
import { ask, refreshSession, session } from '../lib/net';
import type { Game, JudgedMove, Mistake } from '../lib/protocol';
import { useStore } from '../lib/use';
import { Exercise, type Outcome } from '../parts/Exercise';
import { Icon, type IconName } from '../parts/Icon';
import { LABELS, numberAt } from '../parts/MoveList';

const WORDS: Record<Outcome, { text: string; icon: IconName }> = {
  clean: { text: 'solved on the first try', icon: 'check' },
  helped: { text: 'solved with help', icon: 'hint' },
  failed: { text: 'answer shown', icon: 'close' },
};

export function Learn(props: { game: Game; moves: JudgedMove[]; first: number; close: () => void }) {
  const [moves, setMoves] = useState(props.moves);
  const [at, setAt] = useState(Math.max(0, props.moves.findIndex((move) => move.ply === props.first)));
  const [outcomes, setOutcomes] = useState<Record<number, Outcome>>({});
  const [mistake, setMistake] = useState<Mistake | null>(null);
  const id = moves[at]?.mistake;

  useEffect(() => {
    setMistake(null);
    if (id !== undefined) {
      ask('train.get', { mistake: id }).then((answer) => setMistake(answer.mistake), (why) => {
        tellError(why);
        props.close();
      });
    }
  }, [id]);

  if (id === undefined) {
    return (
      <LearnSummary
        game={props.game}
        moves={moves}
        outcomes={outcomes}
        repeat={(failed) => {
          setMoves(failed);
          setOutcomes({});
          setAt(0);
        }}
        close={props.close}
      />
    );
  }
  if (mistake?.id !== id) return <div class="stage waiting" aria-busy="true" />;
  const isLast = at === moves.length - 1;
  return (
    <Exercise
      key={mistake.id}
      first={mistake}
      progress={`${at + 1} of ${moves.length}`}
      nextText={isLast ? 'Summary' : 'Next'}
      next={(outcome) => {
        setOutcomes({ ...outcomes, [id]: outcome });
        setAt(at + 1);
        void refreshSession();
      }}
    >
      <button type="button" class="plain" onClick={props.close}>
        <Icon name="prev" /> Back to review
      </button>
    </Exercise>
  );
}

function LearnSummary(props: {
  game: Game;
  moves: JudgedMove[];
  outcomes: Record<number, Outcome>;
  repeat: (failed: JudgedMove[]) => void;
  close: () => void;
}) {
  const { game, moves, outcomes } = props;
  const due = useStore(session)?.due ?? 0;
  const failed = moves.filter((move) => outcomes[move.mistake!] !== 'clean');
  const clean = moves.length - failed.length;
  return (
    <div class="page narrow learn-summary">
      <header class="page-head">
        <h1>
          {clean} of {plural(moves.length, 'mistake')} solved on the first try
        </h1>
        <p>
          {game.white.title} – {game.black.title}. Solved ones come back in a few days, the others tomorrow.
        </p>
      </header>
      <ul class="outcomes">
        {moves.map((move) => {
          const number = numberAt(game.start_fen, move.ply - 1);
          const outcome = outcomes[move.mistake!];
          return (
            <li key={move.ply} class={`card ${outcome ?? 'skipped'}`}>
              <b>
                {number.number}
                {number.black ? '…' : '.'} {game.moves[move.ply - 1]!.san}
              </b>
              <span class={`label ${move.label}`}>{LABELS[move.label!]}</span>
              <span>
                {outcome && <Icon name={WORDS[outcome].icon} />} {outcome ? WORDS[outcome].text : 'not tried'}
              </span>
            </li>
          );
        })}
      </ul>
      <div class="buttons">
        {failed.length > 0 && (
          <button type="button" onClick={() => props.repeat(failed)}>
            <Icon name="again" /> Repeat {plural(failed.length, 'mistake')}
          </button>
        )}
        {due > 0 && (
          <a class="button primary" href="#/train">
            <Icon name="learn" /> Train: {due} due
          </a>
        )}
        <button type="button" class="plain" onClick={props.close}>
          Back to review
        </button>
        <a class="button plain" href="#/play">
          Play
        </a>
      </div>
    </div>
  );
}
