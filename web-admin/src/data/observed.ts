import { useSyncExternalStore } from "react";

/** A value that is set outside of React, and seen by what shows it. */
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

/** Whether the account has to set a second factor up before it decides or opens anything. */
export const factorNeeded = observed(false);

/** Told whether the password was entered; undefined while nobody is asked for it. */
export const proofAsked = observed<((isShown: boolean) => void) | undefined>(undefined);
let asked: Promise<boolean> | undefined;

/** Asks for the password, once however much waits for it. @returns whether it was entered. */
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

/** Clears all records when a page is left. */
export const clearStale = () => stalePaths.set(NONE);

/** Whether the data on the screen may be slightly out of date. */
export const useStale = () => stalePaths.use().size > 0;
