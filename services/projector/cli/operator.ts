import type { Logger } from "pino";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { UsageError, unknownWord } from "#runtime/lifecycle/usage.ts";
import type { ProjectorStores } from "../composition.ts";
import type { ProjectorConfig } from "../config.ts";
import { type Checkpoint, readCheckpoint, remedyOf } from "../daemon/checkpoint.ts";
import { ProcessorStopped } from "../daemon/errors.ts";
import { listParked } from "../daemon/parked.ts";
import { retryParked } from "../daemon/retry-parked.ts";
import { releaseReactions } from "../reactions/outbox/release.ts";
import { type RebuildReport, rebuild } from "../rebuild.ts";

/** What every operator command receives. */
export interface OperatorContext {
  readonly config: ProjectorConfig;
  readonly log: Logger;
  readonly print: (line: string) => void;
  /** Writes a line to standard error, such as what the command is waiting for. */
  readonly warn: (line: string) => void;
}

/** An operator command: its arguments and its work. */
export interface OperatorCommand<Given> {
  readonly usage: string;
  /** @throws {UsageError} for invalid arguments. */
  parse(args: readonly string[]): Given;
  /** @returns the exit code: 0, or 1 when it could not do its work. */
  run(given: Given, context: OperatorContext): Promise<number>;
}

/** Opens the stores, runs the work on them and closes them again. */
async function withProjectorStores<T>(
  { config, log }: OperatorContext,
  command: (stores: ProjectorStores) => Promise<T>,
): Promise<T> {
  // Imported here, so that a wrong argument is reported without loading the projector.
  const { openProjectorStores } = await import("../composition.ts");
  const stores = await openProjectorStores(config, log, { statementMs: "unlimited" });
  try {
    return await command(stores);
  } finally {
    await stores.close();
  }
}

interface BlockedProcessor {
  readonly processor: ProcessorName;
  readonly reason: string;
  readonly remedy: string;
}

/** The last step of `npm run log:restored`: lists processors of the previous log, and what to run. @returns 0. */
export async function runAfterRestore(context: OperatorContext): Promise<number> {
  const { print } = context;
  return withProjectorStores(context, async ({ pool, store }) => {
    const epoch = await readEpoch(store);
    const head = await store.head();
    const blocked: BlockedProcessor[] = [];
    for (const processor of PROCESSORS) {
      const found = await readCheckpoint(pool, processor).catch((error: unknown) => {
        if (error instanceof ProcessorStopped) return error;
        throw error;
      });
      const reason = reasonOf(found, epoch, head);
      if (reason) blocked.push({ processor, reason, remedy: remedyOf(processor) });
    }
    if (blocked.length === 0) print("Every processor belongs to this log.");
    for (const { processor, reason, remedy } of blocked) print(`${processor} ${reason}: ${remedy}`);
    return 0;
  });
}

function reasonOf(
  found: Checkpoint | ProcessorStopped | undefined,
  epoch: string | undefined,
  head: string,
): string | undefined {
  if (found instanceof ProcessorStopped) return "has a damaged checkpoint";
  if (!found || found.epoch === null) return undefined;
  if (found.epoch !== epoch) return "belongs to the log from before the restore";
  return found.position > head ? "is past the head of the log" : undefined;
}

interface Given {
  readonly verb: "list" | "retry";
  readonly only: { readonly processor?: ProcessorName; readonly stream?: string };
}

/** `npm run parked [-- list|retry [processor] [stream]]` */
export const parkedCommand: OperatorCommand<Given> = {
  usage:
    "Usage: npm run parked               lists what is parked, and why\n" +
    "       npm run parked -- retry [processor] [stream]",
  parse(args) {
    const [verb = "list", name, stream, ...more] = args;
    if (verb !== "list" && verb !== "retry") throw unknownWord("verb", verb, ["list", "retry"]);
    const processor = PROCESSORS.find((known) => known === name);
    if (name !== undefined && !processor) throw unknownWord("processor", name, PROCESSORS);
    if (more.length > 0) throw new UsageError(`Unexpected argument: ${JSON.stringify(more[0])}.`);
    return { verb, only: omitUndefined({ processor, stream }) };
  },
  run: runParked,
};

/** @returns the exit code: 0, or 1 if something is still parked after a retry. */
async function runParked({ verb, only }: Given, context: OperatorContext): Promise<number> {
  const { print } = context;
  return withProjectorStores(context, async (stores) => {
    if (verb === "list") {
      const parked = await listParked(stores.pool, only);
      if (parked.length === 0) print("Nothing is parked.");
      for (const entry of parked) {
        print(`${entry.processor}  ${entry.stream}  since ${entry.since.toISOString()}`);
        print(`  ${entry.event_type} at ${entry.position}, tried ${entry.attempts} times:`);
        print(`  ${entry.cause}`);
        if (entry.events > 1) print(`  ${entry.events - 1} later events are waiting behind it`);
      }
      return 0;
    }
    const results = await retryParked(stores, only);
    if (results.length === 0) print("Nothing is parked.");
    for (const { processor, stream, applied, left, cause } of results)
      print(
        left === 0
          ? `${processor}  ${stream}  applied ${applied} events: no longer parked`
          : `${processor}  ${stream}  applied ${applied} events, ${left} still waiting: ${cause}`,
      );
    return results.some(({ left }) => left > 0) ? 1 : 0;
  });
}

/** What to do with unsent emails from before the restore. */
type Unsent = "send" | "drop";

/** `npm run reactions:release -- --send|--drop` */
export const reactionsReleaseCommand: OperatorCommand<Unsent> = {
  usage:
    "Usage: npm run reactions:release -- --send | --drop\n" +
    "Emails from before the restore that haven't been sent: --send sends them, --drop discards them.",
  parse(args) {
    const known = ["--send", "--drop"];
    const unknown = args.find((word) => !known.includes(word));
    if (unknown !== undefined) throw unknownWord("choice", unknown, known);
    if (args.length !== 1) throw new UsageError("Choose one: --send or --drop.");
    return args[0] === "--send" ? "send" : "drop";
  },
  run: runReactionsRelease,
};

async function runReactionsRelease(unsent: Unsent, context: OperatorContext): Promise<number> {
  const { print } = context;
  return withProjectorStores(context, async (stores) => {
    const report = await releaseReactions(stores, unsent);
    const fate = unsent === "send" ? "will be sent now" : "were dropped";
    print(`Emails will be written again for events after ${report.position}.`);
    print(`${report.unsent} unsent emails from before the restore ${fate}.`);
    return 0;
  });
}

/** Reactions are not rebuilt, because a sent email cannot be recalled. */
const REBUILT = PROCESSORS.filter((name) => name !== "outbox");
const PROGRESS_MS = 2000;

/** `npm run rebuild -- <processor>...|all` */
export const rebuildCommand: OperatorCommand<readonly ProcessorName[]> = {
  usage: `Usage: npm run rebuild -- all | ${REBUILT.join(" | ")} ...`,
  parse(args) {
    const names = new Set(args);
    if (names.size === 0) throw new UsageError("What should be rebuilt?");
    if (names.has("outbox"))
      throw new UsageError("outbox can't be rebuilt: sent emails can't be recalled.");
    const known = ["all", ...REBUILT];
    const unknown = args.find((name) => !known.includes(name));
    if (unknown !== undefined) throw unknownWord("processor", unknown, known);
    if (!names.has("all")) return REBUILT.filter((name) => names.has(name));
    if (names.size > 1) throw new UsageError('"all" means every processor: use it alone.');
    return REBUILT;
  },
  run: runRebuild,
};

/** @returns 0 when the new tables are live. @throws {RebuildFailed} the live tables are unchanged. */
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
