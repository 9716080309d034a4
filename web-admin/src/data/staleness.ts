import { useSyncExternalStore } from "react";

const stalePaths = new Set<string>();
const listeners = new Set<() => void>();

/** Records whether the last read of a path was older than this session's own writes. */
export function setStale(path: string, stale: boolean): void {
  const changes = stale ? !stalePaths.has(path) : stalePaths.delete(path);
  if (stale) stalePaths.add(path);
  if (changes) notify();
}

/** Clears all records when a page is left. */
export function clearStale(): void {
  if (stalePaths.size === 0) return;
  stalePaths.clear();
  notify();
}

/** Whether the data on the screen may be slightly out of date. */
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
