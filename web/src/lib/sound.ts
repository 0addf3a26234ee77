// Sounds made on the spot: a knock of wood for moves, soft tones for what needs attention.
import { settings } from './settings';

export type Sound = 'move' | 'capture' | 'check' | 'castle' | 'start' | 'win' | 'loss' | 'draw' | 'low' | 'wrong' | 'right';

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

// Browsers allow sound only after the player has touched the page.
export function wakeSound(): void {
  if (!settings.get().sound) return;
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
  } catch {
    context = null;
  }
}

function knock(at: number, pitch: number, gain: number): void {
  if (!context) return;
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate / 10, context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  const volume = gain * settings.get().volume;
  const burst = context.createBufferSource();
  burst.buffer = noise;
  const band = context.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = pitch * 4;
  band.Q.value = 1.4;
  const shape = context.createGain();
  shape.gain.setValueAtTime(volume, at);
  shape.gain.exponentialRampToValueAtTime(0.0001, at + 0.07);
  burst.connect(band).connect(shape).connect(context.destination);
  burst.start(at);
  burst.stop(at + 0.1);
  tone(at, pitch, 0.09, gain * 0.7);
}

function tone(at: number, pitch: number, length: number, gain: number): void {
  if (!context) return;
  const voice = context.createOscillator();
  voice.type = 'sine';
  voice.frequency.value = pitch;
  const shape = context.createGain();
  shape.gain.setValueAtTime(0.0001, at);
  shape.gain.exponentialRampToValueAtTime(Math.max(0.0002, gain * settings.get().volume), at + 0.008);
  shape.gain.exponentialRampToValueAtTime(0.0001, at + length);
  voice.connect(shape).connect(context.destination);
  voice.start(at);
  voice.stop(at + length + 0.02);
}

function chord(at: number, pitches: number[], step: number): void {
  pitches.forEach((pitch, i) => tone(at + i * step, pitch, 0.5, 0.22));
}

const SCORES: Record<Sound, (at: number) => void> = {
  move: (at) => knock(at, 190, 0.5),
  capture: (at) => {
    knock(at, 240, 0.6);
    knock(at + 0.045, 150, 0.5);
  },
  castle: (at) => {
    knock(at, 190, 0.45);
    knock(at + 0.11, 210, 0.45);
  },
  check: (at) => {
    knock(at, 210, 0.5);
    tone(at + 0.03, 660, 0.22, 0.16);
  },
  start: (at) => chord(at, [330, 440], 0.1),
  win: (at) => chord(at, [392, 494, 587, 784], 0.11),
  loss: (at) => chord(at, [392, 349, 294], 0.16),
  draw: (at) => chord(at, [392, 392], 0.18),
  low: (at) => tone(at, 520, 0.16, 0.2),
  wrong: (at) => chord(at, [262, 233], 0.12),
  right: (at) => chord(at, [440, 587], 0.1),
};

export function play(sound: Sound): void {
  if (!settings.get().sound || !context || context.state !== 'running') return;
  SCORES[sound](context.currentTime);
}

export function soundOfMove(san: string): Sound {
  if (/[+#]$/.test(san)) return 'check';
  if (san.includes('x')) return 'capture';
  if (san.startsWith('O-O')) return 'castle';
  return 'move';
}
