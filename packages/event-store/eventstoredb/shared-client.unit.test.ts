import { afterEach, describe, expect, it, vi } from "vitest";
import { events } from "../contract/fixtures.ts";
import { InvalidBatch } from "../port.ts";
import {
  createEventStoreDBEventStore,
  type SharedClient,
  shareClient,
} from "./eventstoredb-event-store.ts";

const nowhere = "esdb://127.0.0.1:1?tls=false";

/** Needs no server: the client that calls go to is known before it is connected. */
async function clientOf({ connections }: SharedClient) {
  return (await connections.current({ latest: performance.now() + 60_000 })).client;
}

describe("the client of a process", () => {
  it("is one per URL; all are closed with the last user of any", async () => {
    const [first, second] = [shareClient(nowhere), shareClient(nowhere)];
    const other = shareClient("esdb://127.0.0.1:2?tls=false");
    expect(await clientOf(second)).toBe(await clientOf(first));
    const third = shareClient(nowhere.replace("esdb", "ESDB"));
    expect(await clientOf(third)).toBe(await clientOf(first));
    await third.release();
    expect(await clientOf(other)).not.toBe(await clientOf(first));
    const left: string[] = [];
    const before = await clientOf(first);
    for (const [name, shared] of Object.entries({ first, other }))
      (await clientOf(shared)).leave = async () => void left.push(name);
    await first.release();
    await first.release();
    await other.release();
    expect(left).toEqual([]);
    await second.release();
    expect(left).toEqual(["first", "other"]);
    const next = shareClient(nowhere);
    expect(await clientOf(next)).not.toBe(before);
    await next.release();
  });

  it("gives appends the credentials of the URL", async () => {
    const cases = {
      "esdb://ops:p%40ss@db.example:2113": { username: "ops", password: "p@ss" },
      "esdb+discover://ops:pass@db.example?nodePreference=leader": {
        username: "ops",
        password: "pass",
      },
      "esdb://a.example:2113,b.example:2113?tls=false": { username: "none", password: "none" },
      "esdb://db.example:2113": undefined,
    };
    for (const [url, expected] of Object.entries(cases)) {
      const shared = shareClient(url);
      expect(shared.appendCredentials).toEqual(expected);
      await shared.release();
    }
  });
});

describe("an invalid URL", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    "esdb://",
    "http://ops:hunter2@db.example",
    "esdb://ops:hunter2@db.example:x",
    "esdb://ops:hunter2@db.example?tls=maybe",
    "esdb://ops:hunter2@db.example?throwOnAppendFailure=false",
    "esdb://ops:hunter2@db.example?tlsVerifyCert=false",
    "esdb://ops:hunter2@db.example?hunter2=1",
    "esdb://ops:hunter2%@db.example",
    "esdb://ops:hunter2@db.example?tlsCAFile=/nowhere/hunter2.pem",
  ])("is refused, and appears in no message and no output: %s", (url) => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    let message = "";
    try {
      shareClient(url);
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      message = (error as Error).message;
    }
    expect(message).toContain("the event log");
    expect(message).not.toContain("hunter2");
    expect(warned).not.toHaveBeenCalled();
  });
});

describe("an invalid batch", () => {
  it("never reaches the client: an id that is not a UUID would crash the process", async () => {
    const store = createEventStoreDBEventStore({ connectionString: nowhere });
    const shared = shareClient(nowhere);
    const append = vi.spyOn(await clientOf(shared), "appendToStream");
    const [first, ...rest] = events(2);
    for (const id of ["no-uuid", "00000000-0000-0000-0000-000000000001"]) {
      const batch = [{ ...first, id }, ...rest] as ReturnType<typeof events>;
      await expect(store.append("report-1", batch, "no_stream")).rejects.toThrow(InvalidBatch);
    }
    expect(append).not.toHaveBeenCalled();
    await store.close();
    await shared.release();
  });
});
