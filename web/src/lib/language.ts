// Which language the page has, and where its strings are. Also read before the first paint, so it knows no strings.
import { settings } from './settings';

// A row for each file in lang/; build.mjs writes all but English as files of their own.
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const isLanguage = (tag: string): tag is Language => tag in LANGUAGES;

// The language of the settings, or the first one of the browser's that exists.
export function wantedLanguage(): Language {
  const chosen = settings.get().language;
  if (isLanguage(chosen)) return chosen;
  const known = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]!).find(isLanguage);
  return known ?? 'en';
}

// For dates and numbers: with the region of the browser where it speaks the same language.
export const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;

// The site may lie in a folder of its host, and a script's own address is not the page's.
export const languageFile = (language: Language): string => new URL(`assets/${language}.js`, document.baseURI).href;
