// What a screen reader says aloud, and what everybody sees for a moment.
import { createStore } from './store';

export const spoken = createStore({ text: '', turn: 0 });
export const toast = createStore<{ text: string; bad: boolean } | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

// The same words twice are told twice: the turn changes the element that holds them.
export function announce(text: string): void {
  spoken.set({ text, turn: spoken.get().turn + 1 });
}

export function tell(text: string, bad = false): void {
  announce(text);
  toast.set({ text, bad });
  clearTimeout(timer);
  timer = setTimeout(() => toast.set(null), bad ? 6000 : 3500);
}

export function tellError(why: unknown): void {
  tell(why instanceof Error ? why.message : String(why), true);
}
