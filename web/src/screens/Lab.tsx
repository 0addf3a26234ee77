// The laboratory: nodes searched with each technique, as a chart.
import { useEffect, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { countText, percentText } from '../lib/format';
import { ask, hear, link } from '../lib/net';
import type { Lab } from '../lib/protocol';
import { fromService, numberText, t } from '../lib/text';
import { useStore } from '../lib/use';
import { MiniBoard } from '../parts/Board';
import { Choice, useTitle } from '../parts/common';

export function LabScreen() {
  useTitle(t('nav.lab'));
  const { state } = useStore(link);
  const [lab, setLab] = useState<Lab | null>(null);
  const [shown, setShown] = useState('0');
  useEffect(() => {
    if (state !== 'open') return;
    const silence = hear('lab', setLab);
    ask('lab', {}).then(setLab, tellError);
    return silence;
  }, [state]);
  const position = lab?.positions[Number(shown)] ?? lab?.positions[0];
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t('nav.lab')}</h1>
        <p>{t('lab.about')}</p>
      </header>
      {lab?.state === 'running' && (
        <p class="card notice" role="status">
          {t('lab.running')}
        </p>
      )}
      {lab && lab.positions.length > 1 && (
        <Choice
          legend={t('position')}
          name="lab-position"
          value={shown}
          options={lab.positions.map((one, i) => [String(i), fromService(one.name)] as const)}
          onChange={setShown}
        />
      )}
      {position && <Chart position={position} />}
    </div>
  );
}

function Chart({ position }: { position: Lab['positions'][number] }) {
  const most = Math.max(2, ...position.rows.map((row) => row.nodes));
  const share = (nodes: number) => Math.max(0.01, Math.log10(Math.max(1, nodes)) / Math.log10(most));
  return (
    <div class="lab">
      <figure class="card lab-position">
        <MiniBoard fen={position.fen} />
        <figcaption>
          <b>{fromService(position.name)}</b>, {t('lab.caption', { depth: position.depth })}
        </figcaption>
      </figure>
      <div class="lab-scroll card" role="region" aria-label={t('lab.techniques')} tabIndex={0}>
        <table class="lab-table">
          <thead>
            <tr>
              <th scope="col">{t('lab.technique')}</th>
              <th scope="col" class="lab-bar-head">
                {t('lab.nodes')}
              </th>
              <th scope="col" class="figure">
                {t('lab.saved')}
              </th>
              <th scope="col" class="figure time">
                {t('lab.time')}
              </th>
              <th scope="col">{t('move')}</th>
            </tr>
          </thead>
          <tbody>
            {position.rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  {fromService(row.name)}
                  {!row.exact && (
                    <span class="tag" title={t('lab.selectiveNote')}>
                      {t('lab.selective')}
                    </span>
                  )}
                </th>
                <td>
                  <div class="lab-bar">
                    <div class={row.exact ? '' : 'selective'} style={{ '--share': share(row.nodes).toFixed(3) }} />
                    <span>
                      {countText(row.nodes)}
                      {row.finished ? '' : ` (${t('lab.stopped')})`}
                    </span>
                  </div>
                </td>
                <td class="figure">{row.saving === null ? '' : percentText(row.saving, 1)}</td>
                <td class="figure time">{numberText(row.time, row.time < 10 ? 1 : 0)} ms</td>
                <td>{row.move}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
