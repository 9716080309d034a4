import { beforeEach, describe, expect, it } from "vitest";
import { memoryStorage, signedIn } from "#session-client/testing/sessions.ts";
import { IdleSession } from "./idle-session.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-23T10:00:00.000Z");

let now: number;
let told: number;
let storage: Storage;
beforeEach(() => {
  now = START;
  told = 0;
  storage = memoryStorage();
});

/** A tab whose server gives staff 30 minutes. */
function tab() {
  const session = signedIn();
  const client = {
    async request() {
      told += 1;
      const json = { success: true, data: { idle_minutes: 30 } };
      return { status: 200, headers: new Headers(), json };
    },
  };
  const idle = new IdleSession({ client, session, storage, now: () => now });
  const passes = async (ms: number) => {
    now += ms;
    idle.look();
    await Promise.resolve();
  };
  return { idle, session, passes };
}

describe("a staff session in a tab", () => {
  it("warns two minutes before it expires, then keeps the page waiting", async () => {
    const { idle, session, passes } = tab();
    await idle.open();
    await passes(27 * MINUTE);
    expect(idle.shown.now().kind).toBe("used");
    await passes(MINUTE);
    expect(idle.shown.now()).toEqual({ kind: "warns", untilMs: START + 30 * MINUTE - 20_000 });
    expect(idle.isOver()).toBe(false);
    await passes(2 * MINUTE);
    expect(idle.shown.now().kind).toBe("over");
    expect([idle.isOver(), session.read()]).toEqual([true, null]);
    expect(told).toBe(1);
  });

  it("continues after activity, which is reported to the server once a minute", async () => {
    const { idle, passes } = tab();
    await idle.open();
    for (let second = 0; second < 120; second += 1) {
      idle.used();
      await passes(1_000);
    }
    expect(told).toBe(3);
    await passes(27 * MINUTE);
    expect(idle.shown.now().kind).toBe("used");
    await passes(2 * MINUTE);
    expect(idle.shown.now().kind).toBe("warns");
    now += 1;
    idle.used();
    await passes(1_000);
    expect(idle.shown.now().kind).toBe("used");
  });

  it("continues after activity in another tab", async () => {
    const [mine, other] = [tab(), tab()];
    await mine.idle.open();
    await mine.passes(20 * MINUTE);
    await other.idle.open();
    await mine.passes(20 * MINUTE);
    expect(mine.idle.shown.now().kind).toBe("used");
  });

  it("resumes only for the account that signs in again", async () => {
    const { idle, session, passes } = tab();
    const kept = session.read();
    if (!kept) throw new Error("no session");
    await idle.open();
    await passes(30 * MINUTE);
    expect(idle.resume()).toBe("waits");
    session.write({ ...kept, user: { ...kept.user, id: "another" } });
    expect(idle.resume()).toBe("other_account");
    session.write(kept);
    expect(idle.resume()).toBe("goes_on");
    expect([idle.shown.now().kind, idle.isOver()]).toEqual(["used", false]);
  });

  it("ignores an earlier session until the page is open", () => {
    storage.setItem("console-idle-until", String(START - MINUTE));
    expect(tab().idle.isOver()).toBe(false);
  });
});
