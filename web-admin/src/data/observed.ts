import { useSyncExternalStore } from "react";

/** Creates a value that is set outside React and observed by components. */
export function observed<T>(first: T) {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const now = () => value;
  return {
    now,
    set(next: T): void {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, now),
  };
}

/** Whether the account must set up a second factor before it can decide or open anything. */
export const factorNeeded = observed(false);

/** Callback for whether the password was entered; undefined while no one is being asked. */
export const proofAsked = observed<((isShown: boolean) => void) | undefined>(undefined);
let asked: Promise<boolean> | undefined;

/** Asks for the password, once for all concurrent callers. @returns whether it was entered. */
export function askForProof(): Promise<boolean> {
  asked ??= new Promise<boolean>(proofAsked.set).finally(() => {
    asked = undefined;
    proofAsked.set(undefined);
  });
  return asked;
}

const NONE: ReadonlySet<string> = new Set();
const stalePaths = observed(NONE);

/** Records whether the last read of a path was older than this session's own writes. */
export function setStale(path: string, stale: boolean): void {
  const paths = stalePaths.now();
  if (paths.has(path) === stale) return;
  const others = [...paths].filter((each) => each !== path);
  stalePaths.set(new Set(stale ? [...others, path] : others));
}

/** Clears all records when the page is left. */
export const clearStale = () => stalePaths.set(NONE);

/** Whether the data on the screen may be slightly out of date. */
export const useStale = () => stalePaths.use().size > 0;
