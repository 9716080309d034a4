import { localStorageStore, memoryStore, type Store } from "react-admin";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { COLUMNS_KEY } from "../shared/list/columns.tsx";
import { savedQueries } from "../shared/list/saved-queries.ts";

/**
 * react-admin's store. Searches and visited records stay in memory, so none of them are left on disk. Only the column
 * choice and the sidebar width are persisted, and they survive sign-out. Saved queries are on the server.
 */
export function consoleStore(
  provider: Pick<ConsoleDataProvider, "read" | "command">,
  disk: Store = localStorageStore("1", "Console"),
): Store {
  const memory = memoryStore();
  const saved = savedQueries(memory, provider);
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
    reset() {
      memory.reset();
      saved.clear();
    },
    getItem: (key, value) => storeOf(key).getItem(key, value),
    setItem: (key, value) =>
      saved.isOne(key) ? saved.set(key, value as never) : storeOf(key).setItem(key, value),
    removeItem: (key) => storeOf(key).removeItem(key),
    subscribe(key, callback) {
      if (saved.isOne(key)) saved.look();
      return storeOf(key).subscribe(key, callback);
    },
  };
}
