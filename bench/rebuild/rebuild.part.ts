import { fork } from "node:child_process";
import path from "node:path";
import { projectedSchemas } from "#read-model/install.ts";
import { processEnvironment } from "../config.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import { copyRows } from "./copied-rows.ts";
import type { Memory, RebuildOrder, RebuildOutcome } from "./rebuild.process.ts";

const MIB = 1_048_576;
/** Schemas of the projections whose rows are in PostgreSQL. */
const SCHEMAS = [...Object.values(projectedSchemas).map(({ name }) => name), "search"];

/**
 * Rebuilds all read models in a separate process.
 * @param profileDir where that process writes a CPU profile, if given.
 */
export async function runRebuild(
  stores: BenchStores,
  events: number,
  profileDir?: string,
): Promise<RebuildOutcome> {
  const profiling = profileDir ? ["--cpu-prof", `--cpu-prof-dir=${path.resolve(profileDir)}`] : [];
  const child = fork(path.join(import.meta.dirname, "rebuild.process.ts"), {
    execArgv: ["--expose-gc", ...profiling],
    env: processEnvironment({}),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const outcome = new Promise<RebuildOutcome>((resolve, reject) => {
    child.once("message", (message) => resolve(message as RebuildOutcome));
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(new Error(`the rebuild's process ended with ${signal ?? code}`)),
    );
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const { masterKeys: _, ...urls } = stores.config;
  const order: RebuildOrder = { ...urls, masterKey: stores.masterKey, events };
  child.send(order);
  const result = await outcome;
  await exited;
  return result;
}

/** The speed of the rebuild, compared with reading the log and with copying the rows. */
export async function rebuildRows(
  stores: BenchStores,
  outcome: RebuildOutcome,
): Promise<readonly Row[]> {
  const { events, fillMs, indexMs, totalMs, cpuMs, readMs, quarter, end } = outcome;
  const perSecond = (ms: number) => rounded((events * 1000) / ms);
  const copyMs = await copyRows(stores.databaseUrl, SCHEMAS, path.join(stores.folder, "rows"));
  const profile = stores.profile.name;
  const value = perSecond(fillMs);
  const detail = { events, fillMs, indexMs, totalMs, cpuMs };
  return [
    rowOf({
      name: "rebuild of all read models",
      profile,
      value,
      unit: "events/s",
      baseline: perSecond(readMs),
      baselineName: "bare read of the log",
      target: { of: "value", atLeast: 15_000 },
      detail: { ...detail, readMs: rounded(readMs) },
    }),
    rowOf({
      name: "rebuild against COPY of its rows",
      profile,
      value,
      unit: "events/s",
      baseline: perSecond(copyMs),
      baselineName: "COPY",
      detail: { ...detail, copyMs: rounded(copyMs) },
    }),
    memoryRow("rebuild: memory at its end", profile, quarter, end),
  ];
}

function memoryRow(name: string, profile: string, quarter: Memory, end: Memory): Row {
  return rowOf({
    name,
    profile,
    value: rounded(end.used / MIB),
    unit: "MiB",
    baseline: rounded(quarter.used / MIB),
    baselineName: "at a quarter",
    target: { of: "ratio", atMost: 1.2 },
    detail: { rss: rounded(end.rss / MIB), rssAtQuarter: rounded(quarter.rss / MIB) },
  });
}
