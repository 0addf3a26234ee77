// Where the player is: the part of the address behind '#', so that back, forward and reload work.
import { createStore } from './store';

export interface Route {
  name: string;
  id: number | null;
  query: URLSearchParams;
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', id = ''] = path.split('/');
  return {
    name: name || 'play',
    id: /^\d{1,15}$/.test(id) ? Number(id) : null,
    query: new URLSearchParams(query),
  };
}

export const route = createStore<Route>(read());
addEventListener('hashchange', () => route.set(read()));

export function go(path: string): void {
  location.hash = `#/${path}`;
}
