// The page's strings. English comes with the page; the strings of another language are fetched when it is chosen.
import type { ComponentChildren } from 'preact';
import { en } from '../lang/en';
import { languageFile, localeOf, wantedLanguage, type Language } from './language';
import { settings } from './settings';
import { createStore } from './store';

type English = typeof en;
export type Key = keyof English;
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

// What a language file has to have: the same keys, with forms for the number {n} where English has them.
export type Catalogue = { readonly [K in Key]: English[K] extends string ? string : Plural };

// Texts that the service sends in English, and what they are in this language; those that are missing stay English.
export type ServiceTexts = Readonly<Record<string, string>>;

type Names<S> = S extends `${string}{${infer N}}${infer Rest}` ? N | Names<Rest> : never;
type NamesOf<K extends Key> = English[K] extends string
  ? Names<English[K]>
  : English[K] extends { other: infer S }
    ? Names<S> | 'n'
    : never;
// A plural needs the number itself, to choose the form by.
type Values<K extends Key, V> = { [N in NamesOf<K>]: N extends 'n' ? number : V };
type Arguments<K extends Key, V> = [NamesOf<K>] extends [never] ? [] : [values: Values<K, V>];

const wholeNumbers = (tag: string): Intl.NumberFormat => new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });

let strings: Catalogue = en;
let serviceTexts: ServiceTexts = {};
let locale = 'en';
let plurals = new Intl.PluralRules(locale);
let numbers = wholeNumbers(locale);

export const language = createStore<Language>('en');
export const currentLocale = (): string => locale;

// Counts have separators; a rating or an identifier is passed as a text.
export const numberText = (value: number, digits = 0): string =>
  digits === 0
    ? numbers.format(value)
    : new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

function template(key: Key, values: Record<string, unknown>): string {
  const found: string | Plural = strings[key];
  if (typeof found === 'string') return found;
  return found[plurals.select(values.n as number)] ?? found.other;
}

const shown = (name: string, value: unknown): unknown => (name === 'n' ? numberText(value as number) : value);

export function t<K extends Key>(key: K, ...[values = {} as never]: Arguments<K, string | number>): string {
  const given: Record<string, unknown> = values;
  return template(key, given).replace(/\{(\w+)\}/g, (_, name: string) => String(shown(name, given[name])));
}

// A string with elements in its places.
export function rich<K extends Key>(key: K, values: Values<K, ComponentChildren>): ComponentChildren[] {
  const given: Record<string, unknown> = values;
  return template(key, given)
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 ? (shown(part, given[part]) as ComponentChildren) : part));
}

export const fromService = (text: string): string => serviceTexts[text] ?? text;

export const fillService = (text: string, values: Record<string, string>): string =>
  fromService(text).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

const letterFor = /[.*+?^$()|[\]\\]/g; // what a pattern would read as its own sign

// A message of the service whose values stand in it already: texts with places are patterns for it, the first counts.
export function messageText(message: string): string {
  const exact = serviceTexts[message];
  if (exact !== undefined) return exact;
  for (const [text, own] of Object.entries(serviceTexts)) {
    if (!text.includes('{')) continue;
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const pattern = text.replace(letterFor, '\\$&').replace(/\{\w+\}/g, '(.+?)');
    const found = new RegExp(`^${pattern}$`, 's').exec(message);
    if (!found) continue;
    return own.replace(/\{(\w+)\}/g, (_, name: string) => messageText(found[1 + names.indexOf(name)] ?? ''));
  }
  return message;
}

// Fetches what is missing, then changes the strings and redraws the page.
export async function applyLanguage(): Promise<void> {
  const next = wantedLanguage();
  try {
    const found = next === 'en' ? { strings: en, service: {} } : await import(languageFile(next));
    if (next !== wantedLanguage()) return; // changed in the meantime
    strings = found.strings as Catalogue;
    serviceTexts = found.service as ServiceTexts;
  } catch {
    return; // not reachable: the page keeps the language it has
  }
  locale = localeOf(next);
  plurals = new Intl.PluralRules(locale);
  numbers = wholeNumbers(locale);
  document.documentElement.lang = next;
  language.set(next);
}

settings.listen(() => {
  if (wantedLanguage() !== language.get()) void applyLanguage();
});
