// A line to type moves into, and, with a screen reader, questions about the position.
import { useRef, useState } from 'preact/hooks';
import { announce } from '../lib/announce';
import { readMove } from '../lib/chess';
import { colorText, toMoveText } from '../lib/format';
import type { Color, Dests, GameClock } from '../lib/protocol';
import { settings } from '../lib/settings';
import { sayClock, sayLine, sayMove, sayPieces, saySides, saySquare } from '../lib/speech';
import { t, type Key } from '../lib/text';
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

const QUESTIONS = ['board', 'white', 'black', 'last', 'turn', 'moves', 'clock', 'help'] as const;

// The English word is understood in every language, the language's own one as well.
const questionOf = (typed: string) =>
  typed === '?' ? 'help' : QUESTIONS.find((one) => typed === one || typed === t(`ask.${one}` satisfies Key).toLowerCase());

function answerQuestion(typed: string, props: TypedMoveProps): string | null {
  if (/^[a-h1-8]$/.test(typed)) return sayLine(props.fen, typed);
  const question = questionOf(typed);
  switch (question) {
    case 'board':
      return `${saySides(props.fen)} ${toMoveText(props.turn)}.`;
    case 'white':
    case 'black':
      return `${colorText(question)}: ${sayPieces(props.fen, question)}.`;
    case 'last':
      return props.lastSan ? sayMove(props.lastSan) : t('moves.none');
    case 'turn':
      return `${toMoveText(props.turn)}.`;
    case 'clock':
      if (!props.clock) return t('typed.noClock');
      return t('typed.clocks', { white: sayClock(props.clock.white), black: sayClock(props.clock.black) });
    case 'moves': {
      const all = Object.entries(props.dests).map(([from, to]) =>
        t('typed.fromTo', { from: saySquare(from), to: to.map(saySquare).join(', ') }),
      );
      return all.join('; ') || t('typed.noMoves');
    }
    case 'help':
      return t('typed.help', { questions: t('typed.questions') });
    default:
      return null;
  }
}

// The letters of SAN are understood in every language, those of the page's language as well.
function readTyped(typed: string, props: TypedMoveProps): string | null {
  const letters = t('piece.letters');
  const san = typed.replace(/(^|=)([A-Z])/g, (all, before: string, letter: string) => {
    const at = letters.indexOf(letter);
    return at < 0 ? all : before + 'KQRBN'[at];
  });
  return readMove(typed, props.fen, props.dests) ?? readMove(san, props.fen, props.dests);
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
    const uci = props.enabled ? readTyped(typed, props) : null;
    // "b" is a file, "bxc4" a move; a whole word is a question first.
    const known = answerQuestion(typed.toLowerCase(), props);
    if (known !== null) say(known);
    else if (!props.enabled) say(t('typed.notYourTurn'));
    else if (!uci) say(t('typed.illegal', { move: typed }));
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
        <span class={reader ? '' : 'unseen'}>{t('typed.label')}</span>
        <input
          ref={field}
          id="typed-move"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={reader ? t('typed.examples') : t('typed.placeholder')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {(answer || reader) && <output>{answer || t('typed.ask', { questions: t('typed.questions') })}</output>}
    </form>
  );
}

// The position as text, for those who read rather than look.
export function SpokenPosition({ fen, turn }: { fen: string; turn: Color }) {
  return (
    <section class="spoken-position" aria-label={t('position')}>
      <h2>{t('position')}</h2>
      <dl>
        <dt>{t('color.white')}</dt>
        <dd>{sayPieces(fen, 'white')}</dd>
        <dt>{t('color.black')}</dt>
        <dd>{sayPieces(fen, 'black')}</dd>
        <dt>{t('toMove')}</dt>
        <dd>{colorText(turn)}</dd>
      </dl>
    </section>
  );
}
