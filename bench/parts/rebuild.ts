import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { START } from "#event-store/port.ts";
import type { ProjectorStores } from "#services/projector/composition.ts";
import { rebuild } from "#services/projector/rebuild.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import { type BenchStores, quiet } from "../stores.ts";

const MIB = 1_048_576;

/** Measures the speed of a rebuild (`npm run rebuild -- all`), compared with reading the log, and its memory. */
export async function rebuildRows(
  { profile }: BenchStores,
  stores: ProjectorStores,
  events: number,
): Promise<readonly Row[]> {
  const start = performance.now();
  await readAll(stores);
  const readMs = Math.round(performance.now() - start);
  const memory: Partial<Record<"quarter" | "end", number>> = {};
  const onProgress = (progress: { readonly events: number }) => {
    if (progress.events >= events * 0.25) memory.quarter ??= memoryNow();
    // Under full load, so that work in flight counts in both.
    if (progress.events >= events * 0.95) memory.end ??= memoryNow();
  };
  const before = process.cpuUsage();
  const rebuilt = stores.projections.filter(({ rebuild }) => rebuild);
  const { fillMs, indexMs, totalMs } = await rebuild(
    { ...stores, log: quiet, onProgress },
    rebuilt,
  );
  const { user, system } = process.cpuUsage(before);
  const cpuMs = Math.round((user + system) / 1000);
  const last = memoryNow();
  const perSecond = (ms: number) => rounded((events * 1000) / ms);
  return [
    rowOf({
      name: "rebuild of all read models",
      profile,
      value: perSecond(fillMs),
      unit: "events/s",
      baseline: perSecond(readMs),
      baselineName: "bare read of the log",
      target: { of: "value", atLeast: 15_000 },
      detail: { events, fillMs, indexMs, totalMs, cpuMs, readMs },
    }),
    rowOf({
      name: "rebuild: memory at its end",
      profile,
      value: memory.end ?? last,
      unit: "MiB",
      baseline: memory.quarter ?? last,
      baselineName: "at a quarter",
      target: { of: "ratio", atMost: 1.2 },
    }),
  ];
}

/** Reads the log as the rebuild does, and does nothing with it. */
async function readAll({ store }: ProjectorStores): Promise<void> {
  const ending = new AbortController();
  for await (const batch of store.subscribeAll(START, undefined, { signal: ending.signal }))
    if (batch.caughtUp) break;
  ending.abort();
}

/** MiB in use after a garbage collection, on and off the heap. */
function memoryNow(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return rounded((heapUsed + external) / MIB);
}
