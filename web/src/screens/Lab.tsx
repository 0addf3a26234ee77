// The laboratory: nodes searched with each technique, as a chart.
import { useEffect, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { countText } from '../lib/format';
import { ask, hear, link } from '../lib/net';
import type { Lab } from '../lib/protocol';
import { useStore } from '../lib/use';
import { MiniBoard } from '../parts/Board';
import { Choice, useTitle } from '../parts/common';

export function LabScreen() {
  useTitle('Laboratory');
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
        <h1>Laboratory</h1>
        <p>The same search with one technique after another, and the nodes each needs to reach the same depth.</p>
      </header>
      {lab?.state === 'running' && (
        <p class="card notice" role="status">
          The measurement is running; its result appears here.
        </p>
      )}
      {lab && lab.positions.length > 1 && (
        <Choice
          legend="Position"
          name="lab-position"
          value={shown}
          options={lab.positions.map((one, i) => [String(i), one.name] as const)}
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
          <b>{position.name}</b>, searched to depth {position.depth}. The scale is logarithmic.
        </figcaption>
      </figure>
      <div class="lab-scroll card" role="region" aria-label="Techniques" tabIndex={0}>
        <table class="lab-table">
          <thead>
            <tr>
              <th scope="col">Technique</th>
              <th scope="col" class="lab-bar-head">
                Nodes
              </th>
              <th scope="col" class="figure">
                Saved
              </th>
              <th scope="col" class="figure">
                Time
              </th>
              <th scope="col">Move</th>
            </tr>
          </thead>
          <tbody>
            {position.rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  {row.name}
                  {!row.exact && (
                    <span class="tag" title="Not exact: the value may differ from minimax">
                      selective
                    </span>
                  )}
                </th>
                <td>
                  <div class="lab-bar">
                    <div class={row.exact ? '' : 'selective'} style={{ '--share': share(row.nodes).toFixed(3) }} />
                    <span>
                      {countText(row.nodes)}
                      {row.finished ? '' : ' (stopped)'}
                    </span>
                  </div>
                </td>
                <td class="figure">{row.saving === null ? '' : `${row.saving.toFixed(1)} %`}</td>
                <td class="figure">{row.time < 10 ? row.time.toFixed(1) : Math.round(row.time)} ms</td>
                <td>{row.move}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
