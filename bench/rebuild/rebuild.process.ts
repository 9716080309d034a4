/** A rebuild in a separate process, like `npm run rebuild -- all`, that measures itself. */

import { START } from "#event-store/port.ts";
import { openProjectorStores, type ProjectorStores } from "#services/projector/composition.ts";
import { rebuild } from "#services/projector/rebuild.ts";
import { parseMasterKey } from "#vault/keys/wrapping.ts";
import { quiet } from "../stores.ts";

/** The first message to the process. */
export interface RebuildOrder {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  readonly searchUrl: string;
  readonly masterKey: string;
  /** Number of events in the log. */
  readonly events: number;
}

/** The process's only reply. Times in milliseconds, memory in bytes. */
export interface RebuildOutcome {
  readonly events: number;
  readonly readMs: number;
  readonly fillMs: number;
  readonly indexMs: number;
  readonly totalMs: number;
  /** Processor time of this process, from the first event to the swap. */
  readonly cpuMs: number;
  readonly quarter: Memory;
  readonly end: Memory;
}

/**
 * Memory in use after a garbage collection: on the heap and outside it, and of the whole process.
 */
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
          // Also measured under full load, so that what is in flight counts in both.
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

/** Reads the log as the rebuild does, and does nothing with it. */
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
