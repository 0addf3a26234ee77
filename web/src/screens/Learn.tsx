// The mistakes of one game, solved one after the other inside its review, and a summary of how it went.
import { useEffect, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { sanText, versusText } from '../lib/format';
import { ask, refreshSession, session } from '../lib/net';
import type { Game, JudgedMove, Mistake } from '../lib/protocol';
import { t } from '../lib/text';
import { useStore } from '../lib/use';
import { Exercise, type Outcome } from '../parts/Exercise';
import { Icon, type IconName } from '../parts/Icon';
import { labelText, moveNumberText } from '../parts/MoveList';

const ICONS: Record<Outcome, IconName> = { clean: 'check', helped: 'hint', failed: 'close' };

export function Learn(props: { game: Game; moves: JudgedMove[]; first: number; close: () => void }) {
  const [moves, setMoves] = useState(props.moves);
  const [at, setAt] = useState(Math.max(0, props.moves.findIndex((move) => move.ply === props.first)));
  const [outcomes, setOutcomes] = useState<Record<number, Outcome>>({});
  const [mistake, setMistake] = useState<Mistake | null>(null);
  const id = moves[at]?.mistake;

  useEffect(() => window.scrollTo(0, 0), [id === undefined]); // the button that leads here may be far down
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
      progress={t('ofTotal', { at: at + 1, total: moves.length })}
      nextText={isLast ? t('learn.summary') : t('next')}
      next={(outcome) => {
        setOutcomes({ ...outcomes, [id]: outcome });
        setAt(at + 1);
        void refreshSession();
      }}
    >
      <button type="button" class="plain" onClick={props.close}>
        <Icon name="prev" /> {t('learn.back')}
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
          {t('learn.head', { clean, n: moves.length })}
        </h1>
        <p>
          {versusText(game)}. {t('learn.later')}
        </p>
      </header>
      <ul class="outcomes">
        {moves.map((move) => {
          const outcome = outcomes[move.mistake!];
          return (
            <li key={move.ply} class={`card ${outcome ?? 'skipped'}`}>
              <b>
                {moveNumberText(game.start_fen, move.ply - 1)} {sanText(game.moves[move.ply - 1]!.san)}
              </b>
              <span class={`label ${move.label}`}>{labelText(move.label!)}</span>
              <span>
                {outcome && <Icon name={ICONS[outcome]} />} {t(`learn.${outcome ?? 'skipped'}`)}
              </span>
            </li>
          );
        })}
      </ul>
      <div class="buttons">
        {failed.length > 0 && (
          <button type="button" onClick={() => props.repeat(failed)}>
            <Icon name="again" /> {t('learn.repeat', { n: failed.length })}
          </button>
        )}
        {due > 0 && (
          <a class="button primary" href="#/train">
            <Icon name="learn" /> {t('learn.train', { n: due })}
          </a>
        )}
        <button type="button" class="plain" onClick={props.close}>
          {t('learn.back')}
        </button>
        <a class="button plain" href="#/play">
          {t('nav.play')}
        </a>
      </div>
    </div>
  );
}
