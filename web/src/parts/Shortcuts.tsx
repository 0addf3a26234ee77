// The keyboard shortcuts, shown by `?` on every screen.
import { t, type Key } from '../lib/text';
import { Dialog } from './common';

// The key, or the string that names it, and what it does.
const KEYS = [
  ['?', 'key.help'],
  ['key.tab', 'key.board'],
  ['/', 'key.type'],
  ['← →', 'key.step'],
  ['key.homeEnd', 'key.ends'],
  ['f', 'key.flip'],
  ['h', 'key.hint'],
  ['u', 'key.takeback'],
  ['m', 'key.sound'],
  ['n, p', 'key.mistakes'],
  ['n', 'key.next'],
  ['key.space', 'key.engineMove'],
  ['e', 'key.engine'],
  ['x', 'key.threat'],
  ['z', 'key.undo'],
  ['key.delete', 'key.deleteLine'],
  ['key.paste', 'key.pasteAnywhere'],
] as const satisfies (readonly [string, Key])[];

const keyText = (key: (typeof KEYS)[number][0]): string => (key.startsWith('key.') ? t(key as `key.tab`) : key);

export function KeyList() {
  return (
    <dl class="keys">
      {KEYS.map(([key, what]) => (
        <div key={key + what}>
          <dt>
            <kbd>{keyText(key)}</kbd>
          </dt>
          <dd>{t(what)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Shortcuts({ close }: { close: () => void }) {
  return (
    <Dialog title={t('shortcuts')} onClose={close}>
      <KeyList />
    </Dialog>
  );
}
