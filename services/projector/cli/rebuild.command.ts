import type { Projection } from "../daemon/projection.ts";
import { type RebuildReport, rebuild } from "../rebuild.ts";
import { type OperatorContext, withProjectorStores } from "./operator.ts";

const USAGE = "Usage: npm run rebuild -- all | reports | offenders | audit | search ...";
const PROGRESS_MS = 2000;

/**
 * `npm run rebuild -- <processor>...|all`
 * @returns the exit code: 0 when the new tables are live, 2 for arguments that make no sense.
 * @throws {RebuildFailed} the live tables are as they were; its message says why.
 */
export async function runRebuild(
  args: readonly string[],
  context: OperatorContext,
): Promise<number> {
  const { print, log } = context;
  return withProjectorStores(context, async (stores) => {
    const chosen = choose(args, stores.projections);
    if (!chosen) {
      print(USAGE);
      return 2;
    }
    let told = performance.now();
    const report = await rebuild(
      {
        ...stores,
        log,
        onProgress({ events }) {
          if (performance.now() - told < PROGRESS_MS) return;
          told = performance.now();
          print(`${count(events)} events read`);
        },
      },
      chosen,
    );
    for (const line of summary(report)) print(line);
    return 0;
  });
}

function choose(
  args: readonly string[],
  projections: readonly Projection[],
): Projection[] | undefined {
  const rebuildable = projections.filter(({ rebuild }) => rebuild);
  const names = new Set(args);
  if (names.size === 1 && names.has("all")) return rebuildable;
  const chosen = rebuildable.filter(({ name }) => names.has(name));
  return names.size > 0 && chosen.length === names.size ? chosen : undefined;
}

function summary({ processors, events, fillMs, indexMs, totalMs }: RebuildReport): string[] {
  const rate = fillMs > 0 ? Math.round((events * 1000) / fillMs) : events;
  return [
    `Rebuilt ${processors.join(", ")} from ${count(events)} events in ${seconds(totalMs)}:`,
    `rows ${seconds(fillMs)} (${count(rate)} events a second), indexes ${seconds(indexMs)}.`,
  ];
}

const count = (n: number) => n.toLocaleString("en-US");
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
