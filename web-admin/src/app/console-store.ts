import { localStorageStore, memoryStore, type Store } from "react-admin";
import { COLUMNS_KEY } from "../shared/list/columns.tsx";

/**
 * react-admin's store. Searches and visited records stay in memory, so that nothing of them is left on disk. Only the
 * choice of columns and the sidebar's width are written, and signing out leaves them.
 */
export function consoleStore(): Store {
  const memory = memoryStore();
  const disk = localStorageStore("1", "Console");
  const isWritten = (key: string) => key.startsWith(COLUMNS_KEY) || key.startsWith("sidebar.");
  const storeOf = (key: string) => (isWritten(key) ? disk : memory);
  return {
    ...memory,
    setup() {
      memory.setup();
      disk.setup();
    },
    teardown() {
      memory.teardown();
      disk.teardown();
    },
    getItem: (key, value) => storeOf(key).getItem(key, value),
    setItem: (key, value) => storeOf(key).setItem(key, value),
    removeItem: (key) => storeOf(key).removeItem(key),
    subscribe: (key, callback) => storeOf(key).subscribe(key, callback),
  };
}
