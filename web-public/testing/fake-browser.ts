import { vi } from "vitest";
import { memoryStorage } from "#session-client/testing/sessions.ts";
import { type Answer, fakeRegistry } from "./fake-registry.ts";

/** Stubs the parts of a browser that sessions use, for one test, with a fake registry behind `fetch`. */
export function fakeBrowser(answers: Readonly<Record<string, Answer>> = {}) {
  const storage = memoryStorage();
  const listeners: ((event: StorageEvent) => void)[] = [];
  vi.stubGlobal("window", {
    localStorage: storage,
    addEventListener: (_type: string, listener: (event: StorageEvent) => void) =>
      listeners.push(listener),
  });
  vi.stubGlobal("document", {
    cookie: "",
    location: { protocol: "https:" },
    visibilityState: "visible",
    documentElement: { dataset: {} },
    addEventListener: () => undefined,
  });
  const { fetch, calls } = fakeRegistry(answers);
  vi.stubGlobal("fetch", ((input: string, init?: RequestInit) =>
    fetch(new URL(input, "http://registry.test"), init)) as typeof globalThis.fetch);
  return {
    storage,
    calls,
    /** Simulates a write by another tab. */
    otherTabWrote(key: string, newValue: string | null) {
      for (const listener of listeners) listener({ key, newValue } as StorageEvent);
    },
  };
}
