// Bundles the page. Nothing else is needed to show it.
//
//   node build.mjs         into dist/: index.html, and the icon, theme.js, app.js, app.css and a file for each language but
//                          English in dist/assets/; the server embeds exactly these files
//   node build.mjs site MODULES
//                          into site/: the same page, with the worker, the service worker, the manifest and icons, and the
//                          WebAssembly modules that are in the folder MODULES
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { iconPng } from './icons.mjs';
import { inSet, pieceStyles } from './pieces.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const isSite = process.argv[2] === 'site';
const modules = isSite ? resolve(process.argv[3]) : '';
const name = isSite ? 'site' : 'dist';
const out = join(here, name);
// More than this, and the page is no longer the light thing it promises to be.
const LIMIT = (isSite ? 4096 : 150) * 1024;

// Chessground's own pieces count inside its boards only; here they are one set among others, anywhere.
function classicStyles() {
  const sheet = join(here, 'node_modules/chessground/assets/chessground.cburnett.css');
  return readFileSync(sheet, 'utf8').replace(/\.cg-wrap (piece[\w.]*)/g, (_, piece) => inSet('cburnett', piece));
}

const drawnPieces = {
  name: 'drawn-pieces',
  setup(bundler) {
    bundler.onResolve({ filter: /^castellan:pieces$/ }, (found) => ({
      path: found.path,
      namespace: 'drawn',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'drawn' }, () => ({
      contents: `${classicStyles()}\n${pieceStyles()}`,
      loader: 'css',
    }));
  },
};

function bundle(entryPoints, outdir, define) {
  return build({
    absWorkingDir: here,
    entryPoints,
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2021', 'chrome100', 'firefox100', 'safari15.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    charset: 'utf8',
    plugins: [drawnPieces],
    logLevel: 'warning',
    define: { SITE: String(isSite), ...define },
  });
}

// English is part of app.js. The other languages are modules, which the page imports when one is chosen.
async function bundleLanguages(outdir) {
  const names = readdirSync(join(here, 'src/lang')).map((file) => file.replace(/\.ts$/, ''));
  const common = { absWorkingDir: here, bundle: true, format: 'esm', target: 'es2021', charset: 'utf8', logLevel: 'warning' };
  const { outputFiles } = await build({
    ...common,
    entryPoints: names.map((name) => `src/lang/${name}.ts`),
    outdir,
    write: false,
  });
  const catalogues = {};
  for (const file of outputFiles) {
    const module = await import(`data:text/javascript,${encodeURIComponent(file.text)}`);
    catalogues[basename(file.path, '.js')] = module.en ?? module.strings;
  }
  const { en, ...others } = catalogues;
  for (const [name, strings] of Object.entries(others)) checkCatalogue(name, strings, en);
  await build({ ...common, entryPoints: Object.keys(others).map((name) => `src/lang/${name}.ts`), outdir, minify: true });
}

const placesOf = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].filter((place) => place !== '{n}').sort().join();

// The compiler says so too, but a page can be built without it.
function checkCatalogue(name, strings, en) {
  const wrong = [];
  for (const key of Object.keys(en)) {
    const [wanted, found] = [en[key].other ?? en[key], strings[key]?.other ?? strings[key]];
    if (found === undefined) wrong.push(`${key} is missing`);
    else if (placesOf(found) !== placesOf(wanted)) wrong.push(`${key} has other places than '${wanted}'`);
  }
  for (const key of Object.keys(strings)) if (!(key in en)) wrong.push(`${key} is not in en.ts`);
  if (!wrong.length) return;
  console.error(`web: src/lang/${name}.ts: ${wrong.join('; ')}`);
  process.exit(1);
}

// All files below a folder, with their paths from there.
function list(folder, prefix = '') {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? list(join(folder, entry.name), `${prefix}${entry.name}/`)
      : [`${prefix}${entry.name}`],
  );
}

const MANIFEST = {
  name: 'Castellan',
  short_name: 'Castellan',
  description: 'A chess program: play, review, train, analyse',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#f8f4ea',
  theme_color: '#1f6b5d',
  icons: [
    { src: 'assets/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    ...[192, 512].map((size) => ({
      src: `assets/icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  ],
};

// Hosts may serve the site from a folder: all addresses are relative.
function siteIndex() {
  const head = [
    '<link rel="manifest" href="manifest.webmanifest" />',
    '<link rel="apple-touch-icon" href="assets/icon-192.png" />',
    '<meta name="theme-color" content="#1f6b5d" />',
  ];
  const page = readFileSync(join(here, 'static/index.html'), 'utf8').replaceAll('"/assets/', '"assets/');
  return page.replace('</title>', `</title>\n    ${head.join('\n    ')}`);
}

async function finishSite() {
  writeFileSync(join(out, 'index.html'), siteIndex());
  writeFileSync(join(out, 'manifest.webmanifest'), `${JSON.stringify(MANIFEST, null, 1)}\n`);
  for (const size of [192, 512]) writeFileSync(join(out, `assets/icon-${size}.png`), iconPng(size));
  for (const file of readdirSync(modules).filter((file) => /\.(js|wasm)$/.test(file))) {
    cpSync(join(modules, file), join(out, 'assets', file));
  }
  const files = list(out).sort();
  const version = createHash('sha256');
  for (const file of files) version.update(file).update(readFileSync(join(out, file)));
  // A page that runs without threads fetches its module itself.
  const kept = ['./', ...files.filter((file) => file !== 'index.html' && !file.includes('-single'))];
  await bundle({ sw: 'src/site/sw.ts' }, out, {
    VERSION: JSON.stringify(version.digest('hex').slice(0, 12)),
    FILES: JSON.stringify(kept),
  });
}

if (isSite && !existsSync(modules)) {
  console.error(`web: ${modules} does not exist; make wasm builds it`);
  process.exit(1);
}
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const pages = { app: 'src/main.tsx', theme: 'src/theme.ts' };
await bundle(isSite ? { ...pages, worker: 'src/site/worker.ts' } : pages, join(out, 'assets'), {});
await bundleLanguages(join(out, 'assets'));
cpSync(join(here, 'static'), out, { recursive: true });
if (isSite) await finishSite();

let total = 0;
for (const file of list(out)) total += gzipSync(readFileSync(join(out, file)), { level: 9 }).length;
console.log(`  PAGE  web/${name}, ${(total / 1024).toFixed(0)} KB compressed`);
if (total > LIMIT) {
  console.error(`web: ${name} has ${total} bytes compressed, more than ${LIMIT}`);
  process.exit(1);
}
