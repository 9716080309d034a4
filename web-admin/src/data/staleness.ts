import { useSyncExternalStore } from "react";

let stale = false;
const listeners = new Set<() => void>();

/** Says whether the last read was older than what this session has written. */
export function setStale(next: boolean): void {
  if (next === stale) return;
  stale = next;
  for (const listener of listeners) listener();
}

/** Whether what is on the screen may be a moment old. */
export function useStale(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stale,
  );
}
