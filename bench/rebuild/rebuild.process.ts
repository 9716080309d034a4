/** A rebuild in its own process, as `npm run rebuild -- all` is one, that watches itself. */

import { START } from "#event-store/port.ts";
import { openProjectorStores, type ProjectorStores } from "#services/projector/composition.ts";
import { rebuild } from "#services/projector/rebuild.ts";
import { parseMasterKey } from "#vault/keys/wrapping.ts";
import { quiet } from "../stores.ts";

/** What the process is sent first. */
export interface RebuildOrder {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  readonly searchUrl: string;
  readonly masterKey: string;
  /** Events that the log holds. */
  readonly events: number;
}

/** What it answers, once. Times in milliseconds, memory in bytes. */
export interface RebuildOutcome {
  readonly events: number;
  readonly readMs: number;
  readonly fillMs: number;
  readonly indexMs: number;
  readonly totalMs: number;
  /** Time of the processor that this process itself took, from the first event to the swap. */
  readonly cpuMs: number;
  readonly quarter: Memory;
  readonly end: Memory;
}

/** What is in use after a collection of garbage: on the heap and outside it, and all of the process. */
export interface Memory {
  readonly used: number;
  readonly rss: number;
}

process.once("message", (order: RebuildOrder) => {
  run(order).then(
    (outcome) => process.send?.(outcome, () => process.disconnect?.()),
    (error) => {
      console.error(error);
      process.exitCode = 1;
      process.disconnect?.();
    },
  );
});

async function run({ masterKey, events, ...urls }: RebuildOrder): Promise<RebuildOutcome> {
  const stores = await openProjectorStores(
    { ...urls, masterKeys: [parseMasterKey(masterKey)] },
    quiet,
  );
  try {
    const readMs = await timeOf(() => readAll(stores));
    let quarter: Memory | undefined;
    let end: Memory | undefined;
    const cpuBefore = process.cpuUsage();
    const report = await rebuild(
      {
        ...stores,
        log: quiet,
        onProgress(progress) {
          if (progress.events >= events * 0.25) quarter ??= memory();
          // Under full load too: what is in flight counts the same in both.
          if (progress.events >= events * 0.95) end ??= memory();
        },
      },
      stores.projections.filter(({ rebuild }) => rebuild),
    );
    const { user, system } = process.cpuUsage(cpuBefore);
    const last = memory();
    const { fillMs, indexMs, totalMs } = report;
    return {
      events: report.events,
      readMs,
      fillMs,
      indexMs,
      totalMs,
      cpuMs: Math.round((user + system) / 1000),
      quarter: quarter ?? last,
      end: end ?? last,
    };
  } finally {
    await stores.close();
  }
}

/** The log as the rebuild reads it, and nothing done with it. */
async function readAll({ store }: ProjectorStores): Promise<void> {
  const ending = new AbortController();
  for await (const batch of store.subscribeAll(START, undefined, { signal: ending.signal }))
    if (batch.caughtUp) break;
  ending.abort();
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function memory(): Memory {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used: heapUsed + external, rss };
}
