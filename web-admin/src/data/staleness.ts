import { useSyncExternalStore } from "react";

const stalePaths = new Set<string>();
const listeners = new Set<() => void>();

/** Says whether the last read of a path was older than what this session has written. */
export function setStale(path: string, stale: boolean): void {
  const changes = stale ? !stalePaths.has(path) : stalePaths.delete(path);
  if (stale) stalePaths.add(path);
  if (changes) notify();
}

/** Forgets what a page has read, when it is left. */
export function clearStale(): void {
  if (stalePaths.size === 0) return;
  stalePaths.clear();
  notify();
}

/** Whether what is on the screen may be a moment old. */
export function useStale(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stalePaths.size > 0,
  );
}

function notify(): void {
  for (const listener of listeners) listener();
}
