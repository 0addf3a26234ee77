// Bundles the page into dist/: index.html, and the icon, theme.js, app.js and app.css in dist/assets/.
// Nothing else is needed to show it; the server embeds exactly these files.
import { build } from 'esbuild';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pieceStyles } from './pieces.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const LIMIT = 150 * 1024; // bytes, compressed

// Chessground's own pieces apply inside its boards only; here they are one set among others, anywhere.
function classicStyles() {
  const sheet = join(here, 'node_modules/chessground/assets/chessground.cburnett.css');
  return readFileSync(sheet, 'utf8').replaceAll('.cg-wrap piece', '[data-pieces=cburnett] piece');
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

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/main.tsx', theme: 'src/theme.ts' },
  outdir: join(dist, 'assets'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2021', 'chrome100', 'firefox100', 'safari15.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  plugins: [drawnPieces],
  logLevel: 'warning',
});
cpSync(join(here, 'static'), dist, { recursive: true });

const files = ['index.html', ...readdirSync(join(dist, 'assets')).map((name) => `assets/${name}`)];
let total = 0;
for (const name of files) total += gzipSync(readFileSync(join(dist, name))).length;
console.log(`  PAGE  web/dist, ${(total / 1024).toFixed(0)} KB compressed`);
if (total > LIMIT) {
  console.error(`web: the page has ${total} bytes compressed, more than ${LIMIT}`);
  process.exit(1);
}
