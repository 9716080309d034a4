import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { UsageError, unknownWord } from "#runtime/lifecycle/usage.ts";
import { type RebuildReport, rebuild } from "../rebuild.ts";
import { type OperatorCommand, type OperatorContext, withProjectorStores } from "./operator.ts";

/** Reactions are not rebuilt, because a sent mail cannot be recalled. */
const REBUILT = PROCESSORS.filter((name) => name !== "outbox");
const PROGRESS_MS = 2000;

/** `npm run rebuild -- <processor>...|all` */
export const rebuildCommand: OperatorCommand<readonly ProcessorName[]> = {
  usage: `Usage: npm run rebuild -- all | ${REBUILT.join(" | ")} ...`,
  parse(args) {
    const names = new Set(args);
    if (names.size === 0) throw new UsageError("What should be rebuilt?");
    if (names.has("outbox"))
      throw new UsageError("outbox cannot be rebuilt: a sent mail cannot be taken back.");
    const known = ["all", ...REBUILT];
    const unknown = args.find((name) => !known.includes(name));
    if (unknown !== undefined) throw unknownWord("processor", unknown, known);
    if (!names.has("all")) return REBUILT.filter((name) => names.has(name));
    if (names.size > 1) throw new UsageError('"all" means every processor: use it alone.');
    return REBUILT;
  },
  run: runRebuild,
};

/**
 * @returns the exit code 0 when the new tables are live.
 * @throws {RebuildFailed} whose message says why; the live tables are unchanged.
 */
async function runRebuild(
  names: readonly ProcessorName[],
  context: OperatorContext,
): Promise<number> {
  const { print, warn, log } = context;
  return withProjectorStores(context, async (stores) => {
    const chosen = stores.projections.filter(({ name }) => names.includes(name));
    let told = performance.now();
    const report = await rebuild(
      {
        ...stores,
        log,
        warn,
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

function summary({ processors, events, fillMs, indexMs, totalMs }: RebuildReport): string[] {
  const rate = fillMs > 0 ? Math.round((events * 1000) / fillMs) : events;
  return [
    `Rebuilt ${processors.join(", ")} from ${count(events)} events in ${seconds(totalMs)}:`,
    `rows ${seconds(fillMs)} (${count(rate)} events a second), indexes ${seconds(indexMs)}.`,
  ];
}

const count = (n: number) => n.toLocaleString("en-US");
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
