// The page in its languages: catalogues that fit, German on every screen, nothing left in English, and room for it on a phone.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, assert, newGame, run, until, untilPly, visit } from './harness.mjs';
import { CLUB_GAME, furnish, makeMistakes, newPlayer, readLanguage, reviewed, walk } from './scenes.mjs';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const en = await readLanguage('en');
const de = await readLanguage('de');
const german = { settings: { language: 'de' } };

const formsOf = (message) => (typeof message === 'string' ? [message] : Object.values(message));

// ---- What is in the source --------------------------------------------------------------------

const sources = (folder) =>
  readdirSync(join(web, 'src', folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(web, 'src', folder, entry.name));
const all = ['', 'lib', 'parts', 'screens', 'site'].flatMap(sources);

// Words in elements and in attributes that people see or hear, which are not from a catalogue.
const SPOKEN = /^(title|aria-label|aria-valuetext|label|placeholder|legend|note|alt|text|yes)$/;
const NAMES = /^(Castellan|PGN|Chess960|castellan web( --(host|syzygy))?|ms|s|O-O|O-O-O|en|PNG)$/;

function strayWords(file) {
  const ts = createRequire(join(web, 'package.json'))('typescript');
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found = [];
  const note = (node, text) => {
    const words = text.replace(/^[^\p{L}]+|[^\p{L}\d]+$/gu, '');
    if (!/[A-Za-z]{2}/.test(words) || NAMES.test(words)) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file.slice(web.length)}:${line + 1}: ${words}`);
  };
  const literals = (node) => {
    if (ts.isCallExpression(node)) return; // t('key'), which is what is wanted
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) note(node, node.text);
    if (ts.isTemplateExpression(node)) for (const part of [node.head, ...node.templateSpans.map((span) => span.literal)]) note(part, part.text);
    if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(literals);
    if (ts.isJsxExpression(node) && node.expression) literals(node.expression);
  };
  const look = (node) => {
    if (ts.isJsxText(node)) note(node, node.text);
    if (ts.isJsxAttribute(node) && SPOKEN.test(node.name.getText()) && node.initializer) literals(node.initializer);
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) literals(node);
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

// The texts of reasons, which the service sends one at a time.
const rows = readFileSync(join(web, '../src/study/reasons.def'), 'utf8').replace(/\/\*.*?\*\//gs, '');
const reasons = [...rows.matchAll(/"([^"]*)"/g)].map(([, text]) => text);

// What is wrong with a position: all that the check of a setup says.
const setup = readFileSync(join(web, '../src/chess/setup.c'), 'utf8');
const refusals = [...setup.matchAll(/status_fail\(\s*why, STATUS_INVALID,\s*((?:"[^"]*"\s*)+)/g)].map(([, parts]) =>
  parts.replace(/"\s*"/g, '').trim().slice(1, -1),
);
const unreachable = /^unknown piece number|^neither White nor Black/; // not from a FEN

// ---- What is on the page ----------------------------------------------------------------------

// Everything that is read or heard, in pieces as they stand in the document.
const textsOf = (page) =>
  page.evaluate(() => {
    const texts = [document.title.replace(/ · Castellan$/, '')];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.textContent);
    for (const one of document.querySelectorAll('*')) {
      for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder']) texts.push(one.getAttribute(name) ?? '');
    }
    return [...new Set(texts.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text)))];
  });

// English strings that German does not have, as patterns. Short ones with a value in them would match names.
const same = new Set([...Object.values(de.strings), ...Object.values(de.service)].flatMap(formsOf));
const leftovers = [...Object.values(en.strings).flatMap(formsOf), ...Object.keys(de.service)]
  .filter((text) => !same.has(text))
  .filter((text) => !text.includes('{') || text.replace(/\{\w+\}/g, '').replace(/[^A-Za-z]/g, '').length >= 4)
  .map((text) => ({
    text,
    pattern: new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`),
  }));

// A name of an opening or a person may read like an English string, 'Player' for instance.
const FROM_GAMES = '.opening, .game-names, .game-about small, .strip-name .name, .stats-table th a, .player-row b, .me b, .rating-now b';
const nameTexts = (page) => page.locator(FROM_GAMES).allTextContents();

async function englishOn(page) {
  const names = (await nameTexts(page)).map((text) => text.trim());
  const found = [];
  for (const text of await textsOf(page)) {
    if (/\{\w+\}|undefined|\[object/.test(text)) found.push(`'${text}' is not filled in`);
    const english = names.includes(text) ? undefined : leftovers.find(({ pattern }) => pattern.test(text));
    if (english) found.push(`'${text}' is English`);
  }
  return found;
}

// What is cut off without a sign of it, or reaches out of the window where nothing scrolls.
const clippedOn = (page) =>
  page.evaluate(() => {
    const wrong = [];
    if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
    const scrolls = (one) => /auto|scroll/.test(getComputedStyle(one).overflowX);
    for (const one of document.querySelectorAll('main :is(button, a, h1, h2, h3, label, legend, th, td, p, dt, dd, span), dialog *, .rail *')) {
      const style = getComputedStyle(one);
      const frame = one.getBoundingClientRect();
      if (frame.width < 2 || style.visibility === 'hidden' || one.closest('.unseen, svg, .ground, .mini, .swatch')) continue;
      // Words that reach over the edge of what they are on.
      const words = document.createRange();
      words.selectNodeContents(one);
      const reach = words.getBoundingClientRect();
      const over = one.matches('button, .button, .choice label > span') && (reach.right > frame.right + 1 || reach.left < frame.left - 1);
      let scrolled = false;
      for (let at = one; at; at = at.parentElement) scrolled ||= scrolls(at);
      const cut = /hidden|clip/.test(style.overflowX) && style.textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1;
      if (cut || over || (!scrolled && (frame.right > innerWidth + 1 || frame.left < -1))) wrong.push(`<${one.localName} class="${one.className}"> ${one.textContent.slice(0, 40)}`);
    }
    return wrong;
  });

await run('web/languages', {
  'every string is used, and German says each in its own words': async () => {
    const code = all.map((file) => readFileSync(file, 'utf8')).join('\n');
    const computed = [...code.matchAll(/\(\s*`([\w.]*)\$\{/g)].map(([, prefix]) => prefix).filter((prefix) => prefix.endsWith('.'));
    const unused = Object.keys(en.strings).filter(
      (key) => !code.includes(`'${key}'`) && !computed.some((prefix) => key.startsWith(prefix)),
    );
    assert.deepEqual(unused, [], 'strings that nothing shows');
    const common = /^(Name|Position|Standard|Normal|Engine|Threads|Hash \(MB\)|Pause|Analyse|Details|Rematch)$/;
    const equal = Object.entries(en.strings)
      .filter(([key, text]) => JSON.stringify(text) === JSON.stringify(de.strings[key]) && !common.test(text))
      .map(([key]) => key);
    assert.deepEqual(equal, [], 'strings that are the same in both');
  },

  'no words stand outside of the catalogues': async () => {
    assert.deepEqual(all.filter((file) => file.endsWith('.tsx')).flatMap(strayWords), []);
  },

  'the texts of the service have a translation': async ({ open }) => {
    const page = await open();
    const { opponents } = await ask(page, 'opponents');
    const texts = opponents.flatMap((one) => [one.style, ...one.settings.map((setting) => setting.help)]);
    assert.deepEqual([...new Set(texts)].filter((text) => !de.service[text]), []);
    const titles = opponents.filter((one) => /,|^The /.test(one.title)).map((one) => one.title);
    assert.deepEqual(titles.filter((title) => !de.service[title]), []);
    assert.deepEqual(reasons.filter((text) => !de.service[text]), []);
    const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const text of reasons) assert.deepEqual(places(de.service[text]), places(text), text);
  },

  'what the service refuses is said in German': async ({ open }) => {
    const known = Object.keys(de.service).map((text) => text.replace(/\{\w+\}/g, '#'));
    const places = (text) => text.replace('%s%s)', '%s)').replace('%s, %s)', '%s)').replace(/%[sd]/g, '#');
    assert.ok(refusals.length > 15);
    assert.deepEqual(refusals.filter((text) => !unreachable.test(text)).map(places).filter((text) => !known.includes(text)), []);
    const page = await open('#/analyse?edit=1', german);
    const verdict = (words) => page.waitForSelector(`.verdict.bad:has-text("${words}")`);
    const edit = async (fen) => {
      await page.locator('.panel input[type=text]').last().fill(fen);
      await page.keyboard.press('Enter');
    };
    await edit('4k3/8/8/8/8/8/8/8 w - - 0 1');
    await verdict('Weiß hat keinen König');
    await edit('4k3/8/8/8/8/8/8/KK6 w - - 0 1');
    await verdict('Weiß hat 2 Könige (a1, b1)');
    await edit('4k3/8/8/8/4R3/8/8/4K3 w - - 0 1');
    await verdict('Weiß ist am Zug, aber e4 greift den König auf e8 schon an');
    assert.doesNotMatch(await page.textContent('.verdict'), /placement|side/);
  },

  'the language is chosen in the settings, and kept': async ({ open }) => {
    const page = await open('#/settings');
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
    await page.locator('.language select').selectOption('de');
    await page.waitForSelector('h1:has-text("Einstellungen")');
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
    await page.reload();
    await page.waitForSelector('h1:has-text("Einstellungen")');
    await page.waitForSelector('.place:has-text("Meine Partien")');
    await page.locator('.language select').selectOption('en');
    await page.waitForSelector('h1:has-text("Settings")');
  },

  'the first language is the browser\'s, or English': async ({ open }) => {
    const page = await open('#/play', { locale: 'de-AT' });
    await page.waitForSelector('h1:has-text("Spielen")');
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
    const other = await open('#/play', { locale: 'fr-FR' });
    await other.waitForSelector('h1:has-text("Play")');
    assert.equal(await other.evaluate(() => document.documentElement.lang), 'en');
  },

  'English strings are not fetched twice, German ones once': async ({ open }) => {
    const fetched = (page) =>
      page.evaluate(() => performance.getEntriesByType('resource').filter((one) => /\/(en|de)\.js$/.test(one.name)).length);
    assert.equal(await fetched(await open('#/play')), 0);
    assert.equal(await fetched(await open('#/play', german)), 1);
  },

  'numbers, plurals, dates, moves and results in German': async ({ open }) => {
    const page = await open('', german);
    await newPlayer(page, 'Zahlen');
    const pgn = (date) => `[Date "${date}"]\n[White "A"]\n[Black "B"]\n\n1. e4 e5 1-0\n\n`;
    await ask(page, 'pgn.import', { pgn: pgn('2019.03.??') });
    await visit(page, 'games');
    await page.waitForSelector('.page-head p:text-is("1 Partie")');
    assert.match(await page.locator('.game-row').first().textContent(), /März 2019 · 1 Zug ·/);
    await ask(page, 'pgn.import', { pgn: pgn('2020.10.05') });
    await visit(page, 'play');
    await visit(page, 'games');
    await page.waitForSelector('.page-head p:text-is("2 Partien")');
    const id = await newGame(page, { clock: { initial: 90_000, increment: 0 } });
    await page.waitForSelector('.facts:has-text("1,5 + 0")');
    await page.board.type('Sf3');
    await untilPly(page, id, 2);
    await page.waitForSelector('.moves .move[aria-label*="Springer f 3"]:has-text("Sf3")');
    await page.board.type('Brett');
    await page.waitForSelector('.typed output:has-text("Weiß: König e 1; Dame d 1; Türme a 1, h 1")');
    await ask(page, 'game.resign', { game: id });
    await page.waitForSelector('.result:has-text("Du hast verloren")');
    await page.waitForSelector('.result:has-text("Schwarz gewinnt durch Aufgabe.")');
  },

  'reasons are the service\'s in English, and German in German': async ({ open }) => {
    const page = await open();
    await newPlayer(page, 'Reasons');
    const [game] = await makeMistakes(page);
    const { games } = await ask(page, 'pgn.import', { pgn: CLUB_GAME });
    await reviewed(page, games[0]);
    const comments = async (id) => {
      const { review } = await ask(page, 'review.get', { game: id });
      await visit(page, `review/${id}`);
      await page.waitForSelector('.summary');
      const found = [];
      for (const { ply, reason } of review.result.moves.filter((move) => move.reason)) {
        await page.locator('.moves .move').nth(ply - 1).click();
        await page.waitForSelector(`.moves .move[aria-current] >> nth=0`);
        found.push([reason, await page.locator('.comment > p').first().textContent()]);
      }
      return found;
    };
    const english = await comments(games[0]);
    assert.ok(english.length > 0, 'the game has mistakes with reasons');
    for (const [sent, shown] of english) assert.equal(shown, sent);
    await visit(page, 'settings');
    await page.locator('.language select').selectOption('de');
    await page.waitForSelector('h1:has-text("Einstellungen")');
    for (const [, shown] of await comments(games[0])) {
      assert.match(shown, /^(Stellt|Verliert|Hätte|Erlaubt|Verpasst|Lässt|Setzt|Gibt|Hinterlässt|Tauscht|Der|Übersieht)/);
      assert.doesNotMatch(shown, /\b(the|a|which|to|on)\b/);
    }
    // The exercise has it as well, with the letters of German pieces; PGN keeps those of PGN.
    await visit(page, `review/${game}`);
    await page.locator('button.learn').click();
    await page.locator('.controls button:has-text("Lösung")').click();
    await page.waitForSelector('.exercise.shown:has-text("Dxd5")');
    await visit(page, `analyse?game=${games[0]}`);
    await page.waitForSelector('.tree .move:has-text("Sf3")');
    await page.locator('.controls button:has-text("Export")').click();
    assert.match(await page.locator('dialog textarea').nth(1).inputValue(), /2\. Nf3 Nc6/);
  },

  'German on every screen, with nothing left in English': async ({ open }) => {
    const page = await open('', german);
    const ids = await furnish(page, 'Deutsch');
    const say = (key) => de.strings[key];
    const wrong = [];
    await walk(page, ids, say, async (name) => {
      for (const fault of await englishOn(page)) wrong.push(`${name}: ${fault}`);
    });
    assert.deepEqual(wrong, []);
    await page.setViewportSize({ width: 360, height: 740 });
    await walk(page, ids, say, async (name) => {
      await until('no animation', async () => (await page.evaluate(() => document.getAnimations().length)) === 0).catch(() => undefined);
      for (const fault of await clippedOn(page)) wrong.push(`${name} at 360 px: ${fault}`);
    });
    assert.deepEqual(wrong, []);
  },
});
