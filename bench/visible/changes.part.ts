import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type pg from "pg";
import { CHANGE_EVENTS, CHANGES, type Change } from "#contracts/http/changes.ts";
import { createClient } from "#runtime/db/pool.ts";
import { percentile } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import { Random } from "../seeding/random.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";
import { createCaller } from "./caller.ts";
import { submitReport } from "./submit-report.ts";

/** Each approval waits until the changes before it were told: they are sent together. */
const MOST_SAMPLES = 100;
/** Longer than changes are collected for, so that each approval begins a frame of its own. */
const PAUSE_MS = 300;
/** An approval that the other console does not hear of within this time fails the run. */
const LIMIT_MS = 30_000;
/** What a moderator does must be told to the others within this time. */
const TARGET_MS = 2_000;
/** Last names that no other part uses. */
const FIRST_NAME_NUMBER = 3_000_000;
const CHANNEL = "bench_told";

/** Time from the reply to an approval until the stream of another session names the report. */
export async function changesRow(
  system: System,
  stores: BenchStores,
  { samples, seed }: BenchOptions,
): Promise<Row> {
  const onBusy = () => undefined;
  const call = createCaller(system.url, await system.signIn(), onBusy);
  // Nobody approves a report of their own account.
  const visitor = createCaller(system.url, undefined, onBusy);
  const random = new Random(seed);
  const ids: string[] = [];
  for (let n = 0; n < Math.min(samples, MOST_SAMPLES); n += 1)
    ids.push(await submitReport(visitor, random, FIRST_NAME_NUMBER + n));
  const other = await listen(system);
  const times: number[] = [];
  try {
    for (const id of ids) {
      await delay(PAUSE_MS);
      other.heard.delete(id);
      await call("POST", `/prod/api/admin/reports/${id}/approve`, {});
      const answered = performance.now();
      times.push(Math.max(0, (await other.told(id)) - answered));
    }
  } finally {
    await other.close();
  }
  const bare = await bareNotifications(stores.databaseUrl, ids.length);
  const p50 = rounded(percentile(times, 0.5));
  return rowOf({
    name: "approval to another console",
    profile: stores.profile.name,
    value: p50,
    unit: "ms",
    baseline: rounded(percentile(bare, 0.5), 3),
    baselineName: "a notification between two connections of PostgreSQL, p50 in ms",
    p50,
    p99: rounded(percentile(times, 0.99)),
    target: { of: "p99", atMost: TARGET_MS },
    detail: { samples: times.length, longest: rounded(Math.max(...times)) },
  });
}

/** Opens the stream of changes as another session, and notes when it names a report. */
async function listen(system: System) {
  const over = new AbortController();
  const answer = await fetch(system.url + CHANGES, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${await system.signIn()}` },
    signal: over.signal,
  });
  if (!answer.ok || !answer.body) throw new Error(`the stream answered ${answer.status}`);
  const heard = new Map<string, number>();
  let wake: () => void = () => undefined;
  const events = answer.body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream());
  const reading = (async () => {
    for await (const { event, data } of events) {
      if (event !== CHANGE_EVENTS.changes) continue;
      const now = performance.now();
      for (const { resource, id } of JSON.parse(data) as Change[])
        if (resource === "reports" && id !== undefined) heard.set(id, now);
      wake();
    }
  })().catch((error) => {
    if (!over.signal.aborted) throw error;
  });
  return {
    heard,
    /** @returns when the stream named the report, since the process began. */
    async told(id: string): Promise<number> {
      const deadline = performance.now() + LIMIT_MS;
      for (;;) {
        const at = heard.get(id);
        if (at !== undefined) return at;
        const left = deadline - performance.now();
        if (left <= 0) throw new Error(`nobody was told of ${id} within ${LIMIT_MS} ms`);
        const news = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([news, reading, delay(left, undefined, { ref: false })]);
      }
    },
    async close(): Promise<void> {
      over.abort();
      await reading;
    },
  };
}

/** How long a notification takes without the registry. */
async function bareNotifications(databaseUrl: string, samples: number): Promise<number[]> {
  const [writer, listener] = ["bench-notifies", "bench-listens"].map((name) =>
    createClient({ url: databaseUrl, name }),
  ) as [pg.Client, pg.Client];
  const clients = [writer, listener];
  try {
    for (const client of clients) await client.connect();
    await listener.query(`listen ${CHANNEL}`);
    const times: number[] = [];
    for (let n = 0; n < samples; n += 1) {
      const told = once(listener, "notification");
      const start = performance.now();
      await writer.query(`notify ${CHANNEL}`);
      await told;
      times.push(performance.now() - start);
    }
    return times;
  } finally {
    for (const client of clients) await client.end();
  }
}
