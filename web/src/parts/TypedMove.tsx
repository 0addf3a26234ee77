// A line to type moves into, and, with a screen reader, questions about the position.
import { useRef, useState } from 'preact/hooks';
import { announce } from '../lib/announce';
import { readMove } from '../lib/chess';
import type { Color, Dests, GameClock } from '../lib/protocol';
import { settings } from '../lib/settings';
import { sayClock, sayLine, sayPieces, sayMove, saySquare } from '../lib/speech';
import { useStore } from '../lib/use';

export interface TypedMoveProps {
  fen: string;
  turn: Color;
  dests: Dests;
  promotions: string[];
  enabled: boolean;
  lastSan?: string | null;
  clock?: GameClock | null;
  onMove: (uci: string) => void;
}

const QUESTIONS = 'board, white, black, last, turn, moves, clock, a file (a to h) or a rank (1 to 8)';

function answerQuestion(word: string, props: TypedMoveProps): string | null {
  if (/^[a-h1-8]$/.test(word)) return sayLine(props.fen, word);
  switch (word) {
    case 'board':
    case 'position':
      return `White: ${sayPieces(props.fen, 'white')}. Black: ${sayPieces(props.fen, 'black')}. ${props.turn} to move.`;
    case 'white':
    case 'black':
      return `${word}: ${sayPieces(props.fen, word)}.`;
    case 'last':
      return props.lastSan ? sayMove(props.lastSan) : 'No move yet.';
    case 'turn':
      return `${props.turn} to move.`;
    case 'clock':
      if (!props.clock) return 'This game has no clock.';
      return `White ${sayClock(props.clock.white)}, black ${sayClock(props.clock.black)}.`;
    case 'moves': {
      const all = Object.entries(props.dests).map(
        ([from, to]) => `${saySquare(from)} to ${to.map(saySquare).join(', ')}`,
      );
      return all.join('; ') || 'No moves to make now.';
    }
    case 'help':
    case '?':
      return `Type a move, such as e4, Nf3, O-O or e2e4, or ask: ${QUESTIONS}.`;
    default:
      return null;
  }
}

export function TypedMove(props: TypedMoveProps) {
  const { reader } = useStore(settings);
  const [answer, setAnswer] = useState('');
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);

  const say = (words: string) => {
    setAnswer(words);
    announce(words);
  };

  const submit = (event: Event) => {
    event.preventDefault();
    const typed = text.trim();
    if (!typed) return;
    const uci = props.enabled ? readMove(typed, props.fen, props.dests) : null;
    // "b" is a file, "bxc4" a move; a whole word is a question first.
    const known = answerQuestion(typed.toLowerCase(), props);
    if (known !== null) say(known);
    else if (!props.enabled) say('It is not your turn.');
    else if (!uci) say(`${typed} is not a legal move here.`);
    else {
      const needsPiece = props.promotions.includes(uci.slice(0, 4)) && uci.length === 4;
      setAnswer('');
      props.onMove(needsPiece ? `${uci}q` : uci);
    }
    setText('');
  };

  return (
    <form class={`typed${reader ? ' reader' : ''}`} onSubmit={submit}>
      <label>
        <span class={reader ? '' : 'unseen'}>Your move, or a question</span>
        <input
          ref={field}
          id="typed-move"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={reader ? 'e4, Nf3, O-O, board, last, help' : 'Type a move: Nf3'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {(answer || reader) && <output>{answer || `Questions: ${QUESTIONS}.`}</output>}
    </form>
  );
}

// The position as text, for those who read rather than look.
export function SpokenPosition({ fen, turn }: { fen: string; turn: Color }) {
  return (
    <section class="spoken-position" aria-label="Position">
      <h2>Position</h2>
      <dl>
        <dt>White</dt>
        <dd>{sayPieces(fen, 'white')}</dd>
        <dt>Black</dt>
        <dd>{sayPieces(fen, 'black')}</dd>
        <dt>To move</dt>
        <dd>{turn}</dd>
      </dl>
    </section>
  );
}
