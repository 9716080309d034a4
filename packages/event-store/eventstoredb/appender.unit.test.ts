import type { AppendToStreamOptions, JSONEventData } from "@eventstore/db-client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { event, events } from "../contract/fixtures.ts";
import { type EventToAppend, InvalidBatch, RevisionConflict, StoreUnavailable } from "../port.ts";
import { Appender, type AppendingClient } from "./appender.ts";
import type { LogReader } from "./log-reader.ts";
import { StreamIds } from "./records.ts";
import { alwaysTo } from "./testing/fixed-connections.ts";

interface Call {
  readonly stream: string;
  readonly ids: readonly string[];
  readonly options: AppendToStreamOptions;
}

type Answer = "stores" | "stores and is silent" | "is silent" | Error;

/** A server with one stream that gives these answers, and stores batches once they are used up. */
function play(answers: Answer[], stored: EventToAppend[] = []) {
  const calls: Call[] = [];
  const reads: number[] = [];
  const client = {
    appendToStream: async (
      stream: string,
      batch: JSONEventData[],
      options: AppendToStreamOptions,
    ) => {
      calls.push({ stream, ids: batch.map(({ id }) => id), options });
      const answer = answers.shift() ?? "stores";
      if (answer instanceof Error) throw answer;
      const isThere = stored.some(({ id }) => id === batch[0]?.id);
      if (answer !== "is silent" && !isThere) stored.push(...(batch as unknown as EventToAppend[]));
      if (answer !== "stores") return new Promise(() => undefined);
      return { success: true };
    },
  } as unknown as AppendingClient;
  const reader = {
    streamPage: async (stream: string, from: number, { limit }: { limit: number }) => {
      reads.push(from);
      const page = stored.slice(from, from + limit).map((item, index) => ({
        ...item,
        streamId: stream,
        revision: BigInt(from + index),
        position: { commit: BigInt(100 + from + index), prepare: 0n },
      }));
      return { events: page, done: page.length < limit };
    },
  } as unknown as LogReader;
  const options = { timeoutMs: 4_000, credentials: { username: "ops", password: "secret" } };
  return {
    appender: new Appender(alwaysTo(client), reader, new StreamIds(), options),
    calls,
    reads,
    stored,
  };
}

const conflict = () => Object.assign(new Error("wrong"), { type: "wrong-expected-version" });

describe("the appender", () => {
  afterEach(() => vi.useRealTimers());

  it("returns the stream's revision and position", async () => {
    const { appender, calls } = play([]);
    const batch = events(2);
    const result = await appender.append("report-1", batch, "no_stream");
    expect(result).toEqual({ revision: 1, position: "00000000000000000101" });
    expect(calls[0]?.options).toMatchObject({
      expectedRevision: "no_stream",
      requiresLeader: true,
      credentials: { username: "ops", password: "secret" },
    });
  });

  it("retries a call that gets no answer, with the same ids at the same revision", async () => {
    vi.useFakeTimers();
    const { appender, calls, stored } = play(["stores and is silent", "stores"]);
    const batch = events(2);
    const appending = appender.append("report-1", batch, "no_stream");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await appending).toMatchObject({ revision: 1 });
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
    expect(stored).toHaveLength(2);
  });

  it("reports an unknown outcome when no call gets an answer", async () => {
    vi.useFakeTimers();
    const { appender, calls } = play(["is silent", "is silent"]);
    const appending = appender.append("report-1", events(1), "no_stream");
    appending.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(4_000);
    await expect(appending).rejects.toThrow(StoreUnavailable);
    expect(calls).toHaveLength(2);
  });

  it("does not send a batch that waited too long behind another call", async () => {
    vi.useFakeTimers();
    const { appender, calls } = play(["is silent", "is silent"]);
    const first = appender.append("report-1", events(1), "no_stream");
    const second = appender.append("report-1", events(1), "no_stream");
    for (const appending of [first, second]) appending.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(4_000);
    await expect(second).rejects.toThrow(StoreUnavailable);
    await appender.drain();
    expect(calls).toHaveLength(2);
  });

  it.each([
    [
      "a plain gRPC error",
      Object.assign(new Error("14 UNAVAILABLE"), { code: 14 }),
      StoreUnavailable,
    ],
    [
      "an error that says nothing",
      Object.assign(new Error("2 UNKNOWN"), { code: 2 }),
      StoreUnavailable,
    ],
    [
      "a size that the server refuses",
      Object.assign(new Error("big"), { type: "maximum-append-size-exceeded" }),
      InvalidBatch,
    ],
    [
      "a deleted stream",
      Object.assign(new Error("gone"), { type: "stream-deleted" }),
      InvalidBatch,
    ],
  ])("passes on %s as the port's error", async (_, error, kind) => {
    const { appender } = play([error]);
    await expect(appender.append("report-1", events(1), "no_stream")).rejects.toThrow(kind);
  });

  it("reports the stream's current revision with a conflict", async () => {
    const { appender } = play([conflict()], events(3));
    const outcome = await appender.append("report-1", events(1), "no_stream").catch((e) => e);
    expect(outcome).toBeInstanceOf(RevisionConflict);
    expect(outcome.current).toBe(2);
  });

  it("treats a conflict as a retry when the whole batch is stored at its place", async () => {
    const batch = events(2);
    const { appender } = play([conflict()], [...batch, event()]);
    expect(await appender.append("report-1", batch, "no_stream")).toMatchObject({ revision: 1 });
  });

  it("refuses previously used ids, which the server would accept, without sending them", async () => {
    const stored = events(3);
    const { appender, calls } = play([], stored);
    const batch = [event(), stored[1] as EventToAppend];
    await expect(appender.append("report-1", batch, 2)).rejects.toThrow(InvalidBatch);
    expect(calls).toEqual([]);
  });

  it("refuses the same ids with other content, which the server would take for the same batch", async () => {
    const stored = events(2);
    const { appender } = play([], stored);
    const [first, second] = stored as [EventToAppend, EventToAppend];
    for (const other of [
      { ...first, data: { n: 77 } },
      { ...first, type: "ThingDropped" },
      { ...first, metadata: { ...first.metadata, command: "Other" } },
    ]) {
      const appending = appender.append("report-1", [other, second], "no_stream");
      await expect(appending).rejects.toThrow("with different content");
    }
  });

  it("reads each part of a stream only once", async () => {
    const { appender, reads } = play([], events(3));
    await appender.append("report-1", events(2), 2);
    await appender.append("report-1", events(1), 4);
    // First the earlier ids, then each batch.
    expect(reads).toEqual([0, 3, 5]);
  });

  it("rejects an acknowledgement that the stream does not confirm", async () => {
    const { appender } = play([]);
    const vanishing = { streamPage: async () => ({ events: [], done: true }) };
    const client = {
      appendToStream: async () => ({ success: true }),
    } as unknown as AppendingClient;
    const other = new Appender(
      alwaysTo(client),
      vanishing as unknown as LogReader,
      new StreamIds(),
      {
        timeoutMs: 4_000,
      },
    );
    await expect(other.append("report-1", events(1), "no_stream")).rejects.toThrow(
      "deleted before",
    );
    await appender.drain();
  });
});
