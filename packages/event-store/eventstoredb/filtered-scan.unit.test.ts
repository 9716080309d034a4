import { describe, expect, it } from "vitest";
import { NoAnswer } from "./failures.ts";
import { type ScanOptions, scanFiltered } from "./subscriber.ts";
import { FakeSubscribingClient } from "./testing/fake-subscription.ts";

const options: ScanOptions = {
  after: 100n,
  target: 900n,
  filter: { streamPrefixes: ["report-"], types: ["ThingNoted"] },
  limit: 10,
  timeoutMs: 3_600_000,
  signal: new AbortController().signal,
};

/** Starts a scan; the test plays the subscription. */
async function begin(changes: Partial<ScanOptions> = {}) {
  const client = new FakeSubscribingClient();
  const scan = scanFiltered(client, { ...options, ...changes });
  scan.catch(() => undefined);
  return { scan, subscription: await client.nth(1) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a scan with the filter on the server", () => {
  it("filters what it can on the server, and the rest itself", async () => {
    const { scan, subscription } = await begin();
    expect(subscription.options).toMatchObject({
      fromPosition: { commit: 100n, prepare: 100n },
      filter: { filterOn: "streamName", prefixes: ["report-"] },
    });
    subscription.event(100n);
    subscription.event(200n);
    subscription.event(300n, "report-1", "ThingDropped");
    subscription.event(400n, "report-1", "$>");
    subscription.event(900n);
    const { events, position } = await scan;
    expect(events.map((event) => event.position?.commit)).toEqual([200n, 900n]);
    expect(position).toBe(900n);
    expect(subscription.left).toBe(true);
  });

  it("filters by type when the filter names no streams", async () => {
    const { subscription } = await begin({ filter: { types: ["ThingNoted"] } });
    expect(subscription.options.filter).toMatchObject({
      filterOn: "eventType",
      prefixes: ["ThingNoted"],
    });
  });

  it("advances over skipped events at checkpoints, but never past the target", async () => {
    const { scan, subscription } = await begin();
    subscription.event(200n);
    subscription.checkpoint(600n);
    subscription.checkpoint(2n ** 64n - 1n);
    expect(await scan).toMatchObject({ events: [{}], position: 900n });
  });

  it("waits for events that arrive after a later checkpoint", async () => {
    const { scan, subscription } = await begin();
    subscription.readableLength = 2;
    subscription.checkpoint(900n);
    await turn();
    subscription.readableLength = 1;
    subscription.event(500n);
    await turn();
    subscription.readableLength = 0;
    subscription.event(800n);
    const { events, position } = await scan;
    expect(events.map((event) => event.position?.commit)).toEqual([500n, 800n]);
    expect(position).toBe(900n);
  });

  it("reaches its target when the server reports that the subscription has caught up", async () => {
    const { scan, subscription } = await begin();
    subscription.emit("caughtUp");
    expect(await scan).toEqual({ events: [], position: 900n });
  });

  it("returns at most its limit, and stops at the last event it returned", async () => {
    const { scan, subscription } = await begin({ limit: 2 });
    for (const commit of [200n, 300n, 400n, 900n]) subscription.event(commit);
    const { events, position } = await scan;
    expect(events).toHaveLength(2);
    expect(position).toBe(300n);
  });

  it.each([
    [
      "an error",
      (s: { emit(name: string, error?: Error): boolean }) => s.emit("error", new Error("x")),
    ],
    ["an end", (s: { emit(name: string): boolean }) => s.emit("end")],
    ["a close", (s: { emit(name: string): boolean }) => s.emit("close")],
  ])("fails with %s before the target", async (_, play) => {
    const { scan, subscription } = await begin();
    subscription.event(200n);
    play(subscription);
    await expect(scan).rejects.toThrow();
    expect(subscription.left).toBe(true);
  });

  it("does not wait for a silent server", async () => {
    const { scan } = await begin({ timeoutMs: 1 });
    await expect(scan).rejects.toThrow(NoAnswer);
  });

  it("ends with the reason of the signal", async () => {
    const stop = new AbortController();
    const { scan } = await begin({ signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(scan).rejects.toThrow("enough");
  });
});
