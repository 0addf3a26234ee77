// Runs before the first paint, so that the page never flashes in the wrong colours, and begins the page itself
// right after it: what stands in index.html is seen while the rest is still being read.
import { languageFile, wantedLanguage } from './lib/language';
import { applySettings } from './lib/settings';

applySettings();

const LATEST_MS = 150; // a window that nobody sees is not painted
let begun = false;

function begin(): void {
  if (begun) return;
  begun = true;
  const page = document.createElement('script');
  page.src = SITE ? 'assets/app.js' : '/assets/app.js';
  document.head.append(page);
  if (wantedLanguage() === 'en') return;
  const strings = document.createElement('link');
  strings.rel = 'modulepreload';
  strings.href = languageFile(wantedLanguage());
  document.head.append(strings);
}

addEventListener('DOMContentLoaded', () => {
  requestAnimationFrame(() => setTimeout(begin));
  setTimeout(begin, LATEST_MS);
});
