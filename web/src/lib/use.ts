// A store's value in a component, which is drawn again when it changes.
import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store';

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get());
  useEffect(() => {
    // The value may have changed between the first drawing and this effect.
    setValue(() => store.get());
    return store.listen((next) => setValue(() => next));
  }, [store]);
  return value;
}
