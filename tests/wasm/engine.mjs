// The engine in WebAssembly, in node, by messages: UCI, perft, stop, and the bench signature of every other build.
//
//   node engine.mjs FOLDER SIGNATURE [single]
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';

const [folder, signature, variant = 'threads'] = process.argv.slice(2);
const script = join(resolve(folder), 'castellan.js');

// Counts that everybody agrees on, up to half a million leaves each.
const PERFT = [
  ['startpos', 4, 197281],
  ['fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', 3, 97862],
  ['fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1', 5, 674624],
  ['fen r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1', 4, 422333],
  ['fen rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8', 3, 62379],
  ['fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10', 3, 89890],
];

let failed = 0;
function check(name, ok, seen = '') {
  console.log(`${ok ? 'ok' : 'not ok'} wasm engine (${variant}): ${name}${ok || !seen ? '' : `: ${seen}`}`);
  failed += ok ? 0 : 1;
}

const env = variant === 'single' ? { ...process.env, CASTELLAN_WASM: 'single' } : process.env;
const engine = new Worker(script, { env });
const seen = [];
let waiting = null;
engine.on('message', (line) => {
  if (waiting && waiting.test(line)) {
    waiting.found(line);
    waiting = null;
  } else seen.push(line);
});

function send(...lines) {
  for (const line of lines) engine.postMessage(line);
}

// The first line from now on that matches, or an error after `seconds`.
function line(pattern, seconds = 60) {
  return new Promise((found, lost) => {
    const late = setTimeout(() => lost(new Error(`no line like ${pattern}`)), seconds * 1000);
    waiting = {
      test: (text) => pattern.test(text),
      found: (text) => {
        clearTimeout(late);
        found(text);
      },
    };
  });
}

async function ask(lines, pattern, seconds) {
  const answer = line(pattern, seconds);
  send(...lines);
  return answer;
}

await ask(['uci'], /^uciok$/);
await ask(['isready'], /^readyok$/);
check('answers uci and isready', true);
check('has no warnings', !seen.some((text) => /^info string/.test(text)), seen.join('\n'));

for (const [position, depth, count] of PERFT) {
  const answer = await ask([`position ${position}`, `go perft ${depth}`], /^Nodes searched/);
  check(`perft ${depth} of ${position}`, answer === `Nodes searched: ${count}`, answer);
}

// Deep enough that the iteration would go on for seconds. Other work on the machine may delay one answer, not most.
const STOP_MS = 500;
const delays = [];
let best = '';
for (let i = 0; i < 5; i++) {
  await ask(['ucinewgame', 'position startpos', 'go infinite'], /^info depth 14 /);
  const asked = performance.now();
  best = await ask(['stop'], /^bestmove/, 10);
  delays.push(Math.round(performance.now() - asked));
}
delays.sort((a, b) => a - b);
check(`stop ends a search within ${STOP_MS} ms`, delays[2] <= STOP_MS, `${delays.join(', ')} ms`);
console.log(`     stop after ${delays.join(', ')} ms`);
check('the best move is a move', /^bestmove [a-h][1-8][a-h][1-8]/.test(best), best);

const bench = await ask(['bench'], /^\d+ nodes/, 300);
check(`bench signature ${signature}`, bench.startsWith(`${signature} nodes`), bench);

const end = new Promise((done) => engine.on('exit', done));
send('quit');
check('quit ends the worker', (await end) === 0);
process.exit(failed ? 1 : 0);
