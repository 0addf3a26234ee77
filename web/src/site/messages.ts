// What the page and the worker of the static site send each other.
export interface ServiceRequest {
  id: number;
  path: string; // with its query
  body: string;
}

export interface ServiceReply {
  id: number;
  status: number;
  type: string;
  file: string;
  body: string;
}

export type ToWorker = { text: string } | { request: ServiceRequest };

export type FromWorker =
  | { state: 'ready'; notice: string }
  | { state: 'waiting' } // another tab has the games
  | { state: 'failed'; why: string }
  | { text: string }
  | { reply: ServiceReply };
