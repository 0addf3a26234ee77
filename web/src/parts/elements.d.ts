// chessground's element for a man; we use it for men beside the board as well.
import type { JSX } from 'preact';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      piece: JSX.HTMLAttributes<HTMLElement>;
    }
  }
}
