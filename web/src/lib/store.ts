// A value that tells when it changes.

export interface Store<T> {
  get(): T;
  set(value: T): void;
  update(change: Partial<T>): void;
  listen(told: (value: T) => void): () => void;
}

export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<(value: T) => void>();
  const store: Store<T> = {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const told of [...listeners]) told(value);
    },
    update: (change) => store.set({ ...value, ...change }),
    listen(told) {
      listeners.add(told);
      return () => void listeners.delete(told);
    },
  };
  return store;
}
