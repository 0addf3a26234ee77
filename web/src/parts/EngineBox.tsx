// The engine's lines: expanded, stepped through on the board, and taken over as a variation.
import { useState } from 'preact/hooks';
import { countText, sanText, scoreText, scoreWords } from '../lib/format';
import { session } from '../lib/net';
import type { Analysis, Step } from '../lib/protocol';
import { settings } from '../lib/settings';
import { t } from '../lib/text';
import { useStore } from '../lib/use';
import { Dialog, IconButton, Switch } from './common';
import { moveNumber } from './TreeView';

const SHOWN_MOVES = 12;

// Moves of a line on the board without being part of the tree.
export interface Preview {
  moves: Step[];
  at: number;
}

export function EngineBox(props: {
  on: boolean;
  setOn: (on: boolean) => void;
  over: boolean;
  analysis: Analysis | null;
  threat: boolean;
  setThreat: ((on: boolean) => void) | null; // null: there is no threat to look at
  startFen: string;
  ply: number;
  preview: Preview | null;
  setPreview: (preview: Preview | null) => void;
  insert: (moves: Step[]) => void;
}) {
  const { on, analysis, preview, threat } = props;
  const { lines } = useStore(settings);
  const most = useStore(session)?.limits.lines ?? 5;
  const [expanded, setExpanded] = useState<number | null>(null);
  const [dialog, setDialog] = useState(false);
  const best = on ? analysis?.lines[0] : undefined;
  return (
    <section class="engine" aria-label={t('engine')}>
      <div class="engine-head">
        <b class="engine-score" title={best ? scoreWords(best.score) : ''}>
          {best ? scoreText(best.score) : '–'}
        </b>
        <span class="engine-facts" role="status" aria-live="off">
          {factsText(props)}
        </span>
        <label class="lines-field">
          <span class="unseen">{t('engine.lines')}</span>
          <select value={String(lines)} onChange={(event) => settings.update({ lines: Number(event.currentTarget.value) })}>
            {Array.from({ length: most }, (_, i) => (
              <option key={i} value={String(i + 1)}>
                {t('lines', { n: i + 1 })}
              </option>
            ))}
          </select>
        </label>
        <IconButton
          icon="flag"
          label={t('engine.showThreat')}
          pressed={threat}
          disabled={!on || !props.setThreat}
          onClick={() => props.setThreat?.(!threat)}
        />
        <IconButton icon="settings" label={t('engine.settings')} onClick={() => setDialog(true)} />
        <Switch label={t('engine')} value={on} onChange={props.setOn} />
      </div>
      <ol class={`engine-lines lines-${lines}`}>
        {Array.from({ length: Math.min(lines, most) }, (_, i) => {
          const line = on ? analysis?.lines[i] : undefined;
          const open = expanded === i;
          return (
            <li key={i} class={open ? 'open' : ''}>
              {line && (
                <>
                  <b>{scoreText(line.score)}</b>
                  <span class="engine-moves">
                    {line.moves.slice(0, open ? undefined : SHOWN_MOVES).map((move, at) => (
                      <button
                        key={at}
                        type="button"
                        class="move"
                        disabled={threat}
                        onClick={() => props.setPreview({ moves: line.moves, at: at + 1 })}
                      >
                        {moveNumber(props.startFen, props.ply + at + (threat ? 1 : 0), at === 0)}
                        {sanText(move.san)}
                      </button>
                    ))}
                  </span>
                  <IconButton
                    icon={open ? 'up' : 'down'}
                    label={open ? t('line.collapse') : t('line.expand')}
                    onClick={() => setExpanded(open ? null : i)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ol>
      {preview && <PreviewBar {...props} preview={preview} />}
      {dialog && <EngineDialog close={() => setDialog(false)} />}
    </section>
  );
}

function factsText(props: { on: boolean; over: boolean; threat: boolean; analysis: Analysis | null }): string {
  const { analysis } = props;
  if (!props.on) return t('engine.off');
  if (props.over) return t('engine.over');
  if (!analysis) return t('engine.thinking');
  const facts = t('engine.facts', {
    depth: `${analysis.depth}/${analysis.seldepth}`,
    nodes: countText(analysis.nodes),
    speed: countText(analysis.nps),
  });
  return props.threat ? `${t('engine.threat')} · ${facts}` : facts;
}

function PreviewBar(props: {
  preview: Preview;
  startFen: string;
  ply: number;
  setPreview: (preview: Preview | null) => void;
  insert: (moves: Step[]) => void;
}) {
  const { preview, setPreview } = props;
  const step = (by: number) => {
    const at = preview.at + by;
    setPreview(at < 1 ? null : { ...preview, at: Math.min(preview.moves.length, at) });
  };
  const shown = preview.moves[preview.at - 1]!;
  return (
    <div class="preview-bar" role="group" aria-label={t('preview')}>
      <IconButton icon="prev" label={t('preview.prev')} onClick={() => step(-1)} />
      <b>
        {moveNumber(props.startFen, props.ply + preview.at - 1, true)}
        {sanText(shown.san)}
      </b>
      <IconButton
        icon="next"
        label={t('preview.next')}
        disabled={preview.at === preview.moves.length}
        onClick={() => step(1)}
      />
      <button type="button" class="primary small" onClick={() => props.insert(preview.moves.slice(0, preview.at))}>
        {t('insert')}
      </button>
      <button type="button" class="plain small" onClick={() => setPreview(null)}>
        {t('close')}
      </button>
    </div>
  );
}

// Powers of two up to the limit, and the value itself.
function sizes(most: number): number[] {
  const all: number[] = [];
  for (let size = 16; size <= most; size *= 2) all.push(size);
  return all;
}

function EngineDialog({ close }: { close: () => void }) {
  const { threads, hash } = useStore(settings);
  const limits = useStore(session)?.limits;
  return (
    <Dialog title={t('engine.settings')} onClose={close}>
      <label class="field">
        <span>{t('engine.threads')}</span>
        <select value={String(threads)} onChange={(event) => settings.update({ threads: Number(event.currentTarget.value) })}>
          {Array.from({ length: limits?.threads ?? 1 }, (_, i) => (
            <option key={i} value={String(i + 1)}>
              {i + 1}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t('engine.hash')}</span>
        <select value={String(hash)} onChange={(event) => settings.update({ hash: Number(event.currentTarget.value) })}>
          {sizes(limits?.hash ?? 32).map((size) => (
            <option key={size} value={String(size)}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <div class="buttons end">
        <button type="button" class="primary" onClick={close}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  );
}
