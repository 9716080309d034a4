import { afterEach, describe, expect, it } from "vitest";
import { formatPosition, START, StoreUnavailable } from "../port.ts";
import { silent } from "../store-log.ts";
import { TailWatcher } from "./tail-watcher.ts";
import { FakeSubscribingClient } from "./testing/fake-subscription.ts";
import { alwaysTo } from "./testing/fixed-connections.ts";

const HOUR = 3_600_000;
const soon = { minMs: 0, maxMs: 0 };
const never = new AbortController().signal;
const at = (position: bigint) => formatPosition(position);

describe("the tail watcher", () => {
  let watcher: TailWatcher;
  afterEach(() => watcher.close());

  /** The log's end is `head.at`; while it is undefined, polls fail. */
  function watch(head: { at: bigint | undefined }, pollMs = HOUR, backOff = soon) {
    const client = new FakeSubscribingClient();
    const looks = { count: 0 };
    watcher = new TailWatcher(
      alwaysTo(client),
      async () => {
        looks.count += 1;
        if (head.at === undefined) throw new StoreUnavailable("away");
        return head.at;
      },
      { pollMs, backOff, log: silent },
    );
    return { client, looks };
  }

  it("follows from the end of the log, without system events", async () => {
    const { client } = watch({ at: 700n });
    const waiting = watcher.waitBeyond(at(700n), never);
    const subscription = await client.nth(1);
    expect(subscription.options.fromPosition).toEqual({ commit: 700n, prepare: 700n });
    expect(subscription.options.filter).toMatchObject({ filterOn: "eventType", regex: "^[^$].*" });
    expect(subscription.options.resolveLinkTos).toBe(false);
    subscription.event(800n, "$ce-report", "$>");
    subscription.event(850n, "Shop_Orders", "OrderPlaced");
    expect(watcher.head).toBe(at(700n));
    subscription.event(900n);
    await waiting;
    expect(watcher.head).toBe(at(900n));
  });

  it("follows an empty log from its start", async () => {
    const { client } = watch({ at: 0n });
    void watcher.waitBeyond(START, never);
    expect((await client.nth(1)).options.fromPosition).toBe("start");
  });

  it.each([
    ["fails without an end", "error", new Error("14 UNAVAILABLE: Connection dropped")],
    ["ends without an error", "end", undefined],
    ["is closed", "close", undefined],
  ] as const)("resubscribes when the subscription %s", async (_, event, error) => {
    const head = { at: 100n as bigint | undefined };
    const { client } = watch(head);
    const waiting = watcher.waitBeyond(at(250n), never);
    const first = await client.nth(1);
    first.emit("confirmation");
    first.event(200n);
    head.at = 250n;
    first.emit(event, error);
    const second = await client.nth(2);
    expect(first.left).toBe(true);
    expect(second.options.fromPosition).toEqual({ commit: 250n, prepare: 250n });
    second.event(300n);
    await waiting;
  });

  it("ignores errors that a subscription emits after its end", async () => {
    const { client } = watch({ at: 100n });
    void watcher.waitBeyond(at(100n), never);
    const first = await client.nth(1);
    first.emit("error", new Error("one"));
    await client.nth(2);
    expect(() => first.emit("error", new Error("another"))).not.toThrow();
  });

  it("drops a silent subscription, and finds the events that it missed", async () => {
    const head = { at: 100n as bigint | undefined };
    const { client } = watch(head, 1);
    const waiting = watcher.waitBeyond(at(100n), never);
    const first = await client.nth(1);
    head.at = 400n;
    await waiting;
    expect(watcher.head).toBe(at(400n));
    void watcher.waitBeyond(at(400n), never);
    const second = await client.nth(2);
    expect(first.left).toBe(true);
    expect(second.options.fromPosition).toEqual({ commit: 400n, prepare: 400n });
  });

  it("keeps a subscription that is silent because there are no events", async () => {
    const { client, looks } = watch({ at: 100n }, 1);
    void watcher.waitBeyond(at(100n), never);
    await client.nth(1);
    const before = looks.count;
    while (looks.count < before + 10) await new Promise((resolve) => setImmediate(resolve));
    expect(client.subscriptions).toHaveLength(1);
  });

  it("backs off while a server stays down, but not after it was up", async () => {
    const asked: number[] = [];
    const client = new FakeSubscribingClient();
    let away = 3;
    watcher = new TailWatcher(
      alwaysTo(client),
      async () => {
        away -= 1;
        asked.push(away);
        if (away >= 0) throw new StoreUnavailable("away");
        return 5n;
      },
      { pollMs: HOUR, backOff: { minMs: 1, maxMs: 4 }, log: silent },
    );
    void watcher.waitBeyond(at(5n), never);
    await client.nth(1);
    expect(asked).toEqual([2, 1, 0, -1]);
  });

  it("ends with the store, even during a long backoff", async () => {
    const head = { at: undefined as bigint | undefined };
    const { looks } = watch(head, HOUR, { minMs: HOUR, maxMs: HOUR });
    const stop = new AbortController();
    const waiting = watcher.waitBeyond(START, stop.signal);
    while (looks.count === 0) await new Promise((resolve) => setImmediate(resolve));
    await watcher.close();
    stop.abort();
    await waiting;
  });
});
