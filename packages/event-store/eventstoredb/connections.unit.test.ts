import { describe, expect, it, vi } from "vitest";
import { BackOff } from "#runtime/lifecycle/back-off.ts";
import { ClientReplaced, type DisposableClient, ReplacedConnections } from "./connections.ts";
import { NoAnswer } from "./failures.ts";

class FakeClient implements DisposableClient {
  searchingSince: number | undefined;
  left = 0;
  async connect(): Promise<void> {
    if (this.searchingSince !== undefined) await new Promise(() => undefined);
  }
  async leave(): Promise<void> {
    this.left += 1;
  }
}

const STALL_MS = 20;
const limits = (waitMs = 60_000) => ({
  latest: performance.now() + waitMs,
  stallMs: STALL_MS,
});
const silence = () => new Promise<never>(() => undefined);

function connections() {
  const clients: FakeClient[] = [];
  const open = () => {
    const client = new FakeClient();
    clients.push(client);
    return client;
  };
  return { clients, connections: new ReplacedConnections(open) };
}

describe("a client that does not answer", () => {
  it("is abandoned with all its calls, and the next call gets another", async () => {
    const { clients, connections: own } = connections();
    const calls = [own.run(silence, limits()), own.run(silence, limits())];
    for (const call of calls) await expect(call).rejects.toThrow(ClientReplaced);
    expect(clients.map(({ left }) => left)).toEqual([1]);
    const { client, left } = await own.current(limits());
    expect(client).toBe(clients[1]);
    expect(left.aborted).toBe(false);
  });

  it("is kept while the server answers other calls", async () => {
    const { clients, connections: own } = connections();
    const slow = own.run(
      () => new Promise((resolve) => setTimeout(resolve, 4 * STALL_MS, "at last")),
      limits(),
    );
    let over = false;
    void slow.finally(() => {
      over = true;
    });
    while (!over) {
      await own.run(async () => "quick", limits());
      await new Promise(setImmediate);
    }
    expect(await slow).toBe("at last");
    expect(clients).toHaveLength(1);
  });

  it("is kept while data keeps arriving", async () => {
    const { clients, connections: own } = connections();
    const read = own.run(async ({ alive }) => {
      const until = performance.now() + 4 * STALL_MS;
      while (performance.now() < until) {
        alive();
        await new Promise(setImmediate);
      }
      return "read";
    }, limits());
    expect(await read).toBe("read");
    expect(clients).toHaveLength(1);
  });

  it("is kept after an answer that is an error", async () => {
    const { clients, connections: own } = connections();
    const wrong = Object.assign(new Error("wrong"), { type: "wrong-expected-version" });
    await expect(own.run(() => Promise.reject(wrong), limits())).rejects.toBe(wrong);
    const away = Object.assign(new Error("14 UNAVAILABLE"), { code: 14 });
    await expect(own.run(() => Promise.reject(away), limits())).rejects.toBe(away);
    expect(clients).toHaveLength(1);
  });

  it("is abandoned again and again, after a longer pause each time", async () => {
    const next = vi.spyOn(BackOff.prototype, "next");
    const { clients, connections: own } = connections();
    for (let round = 0; round < 4; round += 1)
      await expect(own.run(silence, limits())).rejects.toThrow(ClientReplaced);
    const { ready } = (await own.current(limits())) as unknown as { ready: unknown };
    // Only after its pause.
    expect(ready).toBeUndefined();
    expect(clients).toHaveLength(5);
    const pauses = next.mock.results.map(({ value }) => value as number);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(150);
  });

  it("is waited for no longer than the call's limit, and a signal ends the wait", async () => {
    const { clients, connections: own } = connections();
    await own.current(limits());
    Object.assign(clients[0] as FakeClient, { searchingSince: performance.now() });
    await expect(own.run(silence, limits(10))).rejects.toThrow(NoAnswer);
    const stop = new AbortController();
    const waiting = own.current({ ...limits(), signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    Object.assign(clients[0] as FakeClient, { searchingSince: performance.now() - 60_000 });
    await expect(own.current(limits())).rejects.toThrow(NoAnswer);
  });
});

describe("closed connections", () => {
  it("open no client for a late call, after one was abandoned", async () => {
    const { clients, connections: own } = connections();
    await expect(own.run(silence, limits())).rejects.toThrow(ClientReplaced);
    await own.close();
    const late = own.run(async () => "answered", limits());
    await expect(late).rejects.toThrow("the event log is closed");
    expect(clients.map(({ left }) => left)).toEqual([1]);
  });

  it("open none for a caller who has given up", async () => {
    const { clients, connections: own } = connections();
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(own.current({ ...limits(), signal })).rejects.toThrow("enough");
    expect(clients).toEqual([]);
  });
});
