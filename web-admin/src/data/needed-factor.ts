import { useSyncExternalStore } from "react";

let isNeeded = false;
const listeners = new Set<() => void>();

/** Records whether the server wants a second factor before it takes a command. */
export function setFactorNeeded(needed: boolean): void {
  if (isNeeded === needed) return;
  isNeeded = needed;
  for (const listener of listeners) listener();
}

/** Whether the account has to set a second factor up before it decides or opens anything. */
export function useFactorNeeded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isNeeded,
  );
}
