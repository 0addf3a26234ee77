// Castellan as a UCI engine in a worker. Lines go in and out as messages:
//
//   const engine = new Worker('castellan.js');            in a page
//   const engine = new Worker('./castellan.js');          in node, from node:worker_threads
//   engine.onmessage = ({ data }) => console.log(data);   in node: engine.on('message', console.log)
//   engine.postMessage('uci');
//
// Run by itself (node castellan.js) it speaks UCI on standard input and output; words behind it are UCI lines that are
// run instead, for example: node castellan.js bench.
// Threads need shared memory, which a page has only when it is cross-origin isolated; elsewhere one thread searches, and
// looks for messages a few times a second. CASTELLAN_WASM=single chooses that in node.
'use strict';

const isNode = typeof process === 'object' && !!process.versions?.node;

// Runs the variant called `name`; `show` is called with each line, `ended` after "quit". Returns the function
// that sends a line, or null for the end of input.
async function openEngine(name, show, ended) {
  const create = loadVariant(name);
  const module = await create({ ...whereFiles(name), print: show, printErr: show, onEnded: ended });
  const encoder = new TextEncoder();
  const engine = module._module_open();
  if (!engine) throw new Error('castellan: no memory');
  if (module._threads_run) startTurns(module);
  return (line) => {
    if (line === null) {
      module._module_end(engine);
      module.wake?.();
      return;
    }
    const bytes = encoder.encode(line);
    const at = module._malloc(bytes.length + 1);
    module.HEAPU8.set(bytes, at);
    module._module_send(engine, at, bytes.length);
    module._free(at);
    module.wake?.();
  };
}

// Without threads of its own the module's are run here, a little at a time, between messages.
function startTurns(module) {
  let timer;
  let due = false; // a turn is: one is enough
  const turn = () => {
    due = false;
    clearTimeout(timer);
    module._threads_run(20);
    const wait = module._threads_wait_ms();
    if (wait > 0) timer = setTimeout(again, wait);
    else again();
  };
  // In pages timers are too late and messages are in time; in node messages to oneself keep others out.
  const channel = isNode ? null : new MessageChannel();
  const again = () => {
    if (due) return;
    due = true;
    if (isNode) setImmediate(turn);
    else channel.port2.postMessage(null);
  };
  if (channel) channel.port1.onmessage = turn;
  module.wake = again;
  again();
}

function loadVariant(name) {
  if (isNode) return require(`./castellan-${name}.js`);
  importScripts(new URL(`castellan-${name}.js`, self.location.href).href);
  return self.CastellanModule;
}

// Emscripten would fetch() the module in node, which knows no files.
function whereFiles(name) {
  if (!isNode) return {};
  const path = require('node:path').join(__dirname, `castellan-${name}`);
  return { wasmBinary: require('node:fs').readFileSync(`${path}.wasm`), mainScriptUrlOrBlob: `${path}.js` };
}

function variant() {
  if (isNode) return process.env.CASTELLAN_WASM === 'single' ? 'single' : 'threads';
  return self.crossOriginIsolated ? 'threads' : 'single';
}

// Lines that come before the module is there wait for it.
function startQueue(show, ended) {
  const opened = openEngine(variant(), show, ended);
  return (line) => void opened.then((send) => send(line));
}

function startProgram() {
  const send = startQueue(
    (line) => process.stdout.write(`${line}\n`),
    () => process.exit(0),
  );
  const lines = process.argv.slice(2);
  if (lines.length) return [...lines, null].forEach(send);
  const input = require('node:readline').createInterface({ input: process.stdin });
  input.on('line', send);
  input.on('close', () => send(null));
}

if (!isNode) {
  const send = startQueue((line) => postMessage(line), () => close());
  self.onmessage = ({ data }) => send(String(data));
} else {
  const { isMainThread, parentPort } = require('node:worker_threads');
  if (isMainThread) startProgram();
  else {
    const send = startQueue((line) => parentPort.postMessage(line), () => process.exit(0));
    parentPort.on('message', (line) => send(String(line)));
  }
}
