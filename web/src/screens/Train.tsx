// Training: the player's own mistakes, those that are due first.
import { useEffect, useRef, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { sentence, untilText } from '../lib/format';
import { ask, link, refreshSession } from '../lib/net';
import type { Mistake, Queue } from '../lib/protocol';
import { go } from '../lib/router';
import { t } from '../lib/text';
import { useStore } from '../lib/use';
import { Empty, useTitle } from '../parts/common';
import { Exercise } from '../parts/Exercise';

export function TrainScreen({ id }: { id: number | null }) {
  useTitle(t('nav.train'));
  const { state } = useStore(link);
  const [queue, setQueue] = useState<Queue | null>(null);
  const [single, setSingle] = useState<Mistake | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  // Exercises finished in this visit, oldest first: they come behind all others.
  const [finished, setFinished] = useState<number[]>([]);

  const load = () => void ask('train.queue', {}).then(setQueue, tellError);
  useEffect(() => {
    if (state !== 'open') return;
    let stale = false;
    setMissing(null);
    if (id === null) setSingle(null);
    else if (single?.id !== id) {
      ask('train.get', { mistake: id }).then(
        ({ mistake }) => stale || setSingle(mistake),
        (why: Error) => stale || setMissing(why.message),
      );
    }
    load();
    return () => {
      stale = true;
    };
  }, [id, state]);

  // What has been begun stays on the board when a newer queue comes.
  const begun = useRef<Mistake | null>(null);
  if (!begun.current || finished.includes(begun.current.id)) begun.current = nextOf(queue?.mistakes ?? [], finished);

  if (missing) {
    return (
      <Empty icon="learn" title={t('train.missing')}>
        <p>{sentence(missing)}</p>
        <a class="button" href="#/train">
          {t('nav.train')}
        </a>
      </Empty>
    );
  }
  const mistake = id === null ? begun.current : single?.id === id ? single : null;
  if (mistake) {
    return (
      <Exercise
        key={mistake.id}
        first={mistake}
        progress={queue ? t('due', { n: queue.due }) : ''}
        nextText={queue && queue.due > 0 ? t('next') : null}
        next={() => {
          setFinished([...finished.filter((one) => one !== mistake.id), mistake.id]);
          void refreshSession();
          if (id !== null) go('train');
          else load();
        }}
      />
    );
  }
  if (!queue || (id !== null && !mistake)) return <div class="stage waiting" aria-busy="true" />;
  return (
    <Empty icon="learn" title={queue.total ? t('train.noneDue') : t('train.none')}>
      {queue.total ? (
        <p>
          {t('train.total', { n: queue.total })}
          {queue.next ? ` ${t('train.next', { when: untilText(queue.next) })}` : ''}
        </p>
      ) : (
        <p>{t('train.about')}</p>
      )}
      <a class="button primary" href="#/play">
        {t('nav.play')}
      </a>
    </Empty>
  );
}

// The first exercise that was not finished in this visit, otherwise the one finished longest ago.
function nextOf(mistakes: Mistake[], finished: number[]): Mistake | null {
  const rank = (one: Mistake) => finished.indexOf(one.id);
  return [...mistakes].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}
