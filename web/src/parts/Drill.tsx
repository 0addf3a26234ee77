// An opening line by heart: the page plays the other side, the player finds the own moves.
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { useEffect, useState } from 'preact/hooks';
import { announce, tellError } from '../lib/announce';
import { guessMoves, inCheck, squaresOf, START_FEN, turnOf } from '../lib/chess';
import { colorText, sanText, untilText } from '../lib/format';
import { ask } from '../lib/net';
import type { DrillLine } from '../lib/protocol-study';
import { play, soundOfMove } from '../lib/sound';
import { sayMove } from '../lib/speech';
import { t } from '../lib/text';
import { Board } from './Board';
import { Icon } from './Icon';
import { MoveList } from './MoveList';
import { TypedMove } from './TypedMove';

const REPLY_MS = 400;

function drillText(errors: number, help: boolean, wanted: string | undefined): string {
  if (wanted === undefined) return errors ? t('drill.finished', { n: errors }) : t('drill.clean');
  return help ? t('drill.plays', { move: wanted }) : t('drill.next');
}

export function Drill({ line, close }: { line: DrillLine; close: () => void }) {
  const [ply, setPly] = useState(0);
  const [errors, setErrors] = useState(0);
  const [help, setHelp] = useState(false); // the move was wrong: it is shown
  const [version, setVersion] = useState(0);
  const [due, setDue] = useState<number | null>(null);
  const fen = ply === 0 ? START_FEN : line.moves[ply - 1]!.fen;
  const wanted = line.moves[ply];
  const turn = turnOf(fen);
  const yours = wanted !== undefined && turn === line.color;
  const over = wanted === undefined;

  useEffect(() => window.scrollTo(0, 0), []); // the button that leads here may be far down
  useEffect(() => {
    if (!wanted || yours) return;
    const timer = setTimeout(() => {
      play(soundOfMove(wanted.san));
      announce(sayMove(wanted.san));
      setPly(ply + 1);
    }, REPLY_MS);
    return () => clearTimeout(timer);
  }, [ply]);
  useEffect(() => {
    if (over) {
      play('right');
      ask('drill.done', { line: line.id, errors }).then((answer) => setDue(answer.line.due), tellError);
    }
  }, [over]);

  const attempt = (uci: string) => {
    if (!yours) return;
    if (uci === wanted.uci) {
      play(soundOfMove(wanted.san));
      setHelp(false);
      setPly(ply + 1);
      return;
    }
    play('wrong');
    announce(t('drill.plays', { move: sayMove(wanted.san) }));
    setErrors(errors + (help ? 0 : 1));
    setHelp(true);
    setVersion((count) => count + 1);
  };
  const shapes: DrawShape[] =
    help && wanted ? [{ orig: wanted.uci.slice(0, 2) as Key, dest: wanted.uci.slice(2, 4) as Key, brush: 'best' }] : [];
  const { dests, promotions } = guessMoves(fen, false);
  const last = line.moves[ply - 1];
  return (
    <div class="stage train drill">
      <div class="table">
        <div class="review-head">
          <h1>{line.name}</h1>
          <span class="progress-text">
            {t('ofTotal', { at: ply, total: line.moves.length })}
          </span>
        </div>
        <Board
          label={t('drill.board', { side: colorText(line.color) })}
          fen={fen}
          orientation={line.color}
          turn={turn}
          movable={yours ? line.color : null}
          dests={yours ? dests : {}}
          promotions={promotions}
          last={last ? squaresOf(last.uci, line.moves[ply - 2]?.fen ?? START_FEN) : null}
          check={inCheck(fen)}
          shapes={shapes}
          version={version}
          onMove={attempt}
        />
      </div>
      <aside class="panel">
        <section class={`status exercise ${over ? 'solved' : help ? 'wrong' : 'ask'}`} aria-live="polite">
          <h2>
            {over ? <Icon name="check" /> : null}
            {drillText(errors, help, wanted && sanText(wanted.san))}
          </h2>
          {over && due !== null && <p>{t('drill.dueAgain', { when: untilText(due) })}</p>}
        </section>
        {yours && (
          <TypedMove fen={fen} turn={turn} dests={dests} promotions={promotions} enabled onMove={attempt} />
        )}
        <MoveList moves={line.moves.slice(0, ply)} startFen={START_FEN} current={ply} onPick={() => undefined} />
        <div class="controls" role="group" aria-label={t('drill')}>
          <button type="button" class={over ? 'primary' : 'plain'} onClick={close}>
            <Icon name="prev" /> {t('nav.openings')}
          </button>
        </div>
      </aside>
    </div>
  );
}
