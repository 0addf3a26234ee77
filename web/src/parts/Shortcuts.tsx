// The keyboard shortcuts, shown by `?` on every screen.
import { Dialog } from './common';

export const KEYS: [string, string][] = [
  ['?', 'show these shortcuts'],
  ['Tab, then arrows', 'move around the board; Enter picks up or drops a piece, Escape cancels'],
  ['/', 'type a move: e4, Nf3, O-O, e8=N'],
  ['← →', 'previous and next move'],
  ['Home, End', 'first and last position'],
  ['f', 'flip the board'],
  ['h', 'hint'],
  ['u', 'take back'],
  ['m', 'switch sound on or off'],
  ['n, p', 'review: next and previous mistake'],
  ['n', 'training and puzzles: next'],
  ['Space', "analysis: play the engine's move"],
  ['e', 'analysis: switch the engine on or off'],
  ['x', 'analysis: show the threat'],
  ['z', 'analysis: undo'],
  ['Delete', 'analysis: delete the move and what follows'],
  ['Ctrl+V', 'open a copied position or game on the analysis board'],
];

export function KeyList() {
  return (
    <dl class="keys">
      {KEYS.map(([key, what]) => (
        <div key={key + what}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Shortcuts({ close }: { close: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <KeyList />
    </Dialog>
  );
}
