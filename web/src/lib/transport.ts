// How the page reaches the service: by a WebSocket of `castellan web`, or in the static site by messages to a worker.
import { workerTransport } from '../site/transport';

export interface Channel {
  send(text: string): void;
  close(): void;
}

export interface ChannelEvents {
  open(): void;
  text(text: string): void;
  waiting(why: string): void; // nothing is lost, but it takes longer
  closed(why?: string): void;
}

export interface Transport {
  // A channel; 'password': the server requires one (or another); 'lost': it does not answer.
  open(events: ChannelEvents, password?: string): Promise<Channel | 'password' | 'lost'>;
  // An HTTP request of docs/dev/service.md.
  request(path: string, init?: RequestInit): Promise<Response>;
}

async function openSession(password?: string): Promise<'open' | 'password' | 'lost'> {
  try {
    const answer = await fetch('/api/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(password === undefined ? {} : { password }),
    });
    if (answer.status === 401) return 'password';
    return answer.ok ? 'open' : 'lost';
  } catch {
    return 'lost';
  }
}

const socketTransport: Transport = {
  async open(events, password) {
    const opened = await openSession(password);
    if (opened !== 'open') return opened;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    socket.onopen = () => events.open();
    socket.onmessage = (event) => events.text(String(event.data));
    socket.onclose = () => events.closed();
    return socket;
  },
  request: (path, init) => fetch(path, init),
};

export const transport: Transport = SITE ? workerTransport : socketTransport;
