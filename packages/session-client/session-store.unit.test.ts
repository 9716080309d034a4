import { describe, expect, it, vi } from "vitest";
import { sessionStore } from "./session-store.ts";
import { ADMIN, memoryStorage, signedIn } from "./testing/sessions.ts";

const session = { token: "token-1", refreshToken: "refresh-1", user: ADMIN };

/** A window that dispatches `storage` events. */
function aWindow() {
  const listeners: ((event: StorageEvent) => void)[] = [];
  return {
    window: {
      addEventListener: (_type: string, listener: (event: StorageEvent) => void) =>
        void listeners.push(listener),
    } as unknown as Window,
    /** Another tab has written a key. */
    wrote(key: string | null) {
      for (const listener of listeners) listener({ key, storageArea: null } as StorageEvent);
    },
  };
}

describe("the stored session", () => {
  it("reports every change in this tab", () => {
    const store = sessionStore(memoryStorage());
    const told: (string | undefined)[] = [];
    const end = store.subscribe(() => told.push(store.read()?.token));
    store.write(session);
    store.renew({ token: "token-2", refreshToken: "refresh-2" });
    store.updateUser({ ...ADMIN, first_name: "Dee" });
    store.clear();
    end();
    store.write(session);
    expect(told).toEqual(["token-1", "token-2", "token-2", undefined]);
  });

  it("removes an incomplete session, but not one that another tab is writing", () => {
    vi.useFakeTimers();
    try {
      const [left, written] = [memoryStorage(), memoryStorage()];
      for (const storage of [left, written]) {
        storage.setItem("token", "token-1");
        sessionStore(storage, aWindow().window);
      }
      sessionStore(written).write(session);
      expect(left.getItem("token")).toBe("token-1");
      vi.runAllTimers();
      expect(left.getItem("token")).toBeNull();
      expect(sessionStore(written).read()).toEqual(session);
    } finally {
      vi.useRealTimers();
    }
  });

  it("reports another tab's key-by-key writes once, and ignores other keys", () => {
    vi.useFakeTimers();
    try {
      const { window, wrote } = aWindow();
      const told = vi.fn();
      sessionStore(memoryStorage(), window).subscribe(told);
      for (const key of ["token", "refreshToken", "user", null]) wrote(key);
      vi.runAllTimers();
      expect(told).toHaveBeenCalledOnce();
      wrote("registry_faq_items");
      vi.runAllTimers();
      expect(told).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  it("reports why this tab ended it, until the next sign-in", () => {
    const storage = memoryStorage();
    const store = signedIn("admin", storage);
    const other = sessionStore(storage);
    expect(store.endedBy()).toBeUndefined();
    store.clear("ended");
    store.clear();
    expect([store.endedBy(), other.endedBy()]).toEqual(["ended", undefined]);
    store.write(session);
    expect(store.endedBy()).toBeUndefined();
  });
});
