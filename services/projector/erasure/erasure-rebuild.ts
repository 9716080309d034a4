import type { Logger } from "pino";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { OVERWRITTEN_DAYS } from "#contracts/retention.ts";
import type { Position } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { readRebuildTimes } from "../daemon/checkpoint.ts";
import type { Processor } from "../daemon/processor.ts";
import type { Projection } from "../daemon/projection.ts";
import { type RebuildDeps, rebuild } from "../rebuild.ts";
import { RebuildRuns } from "../rebuild-failed.ts";
import { ERASED_SCHEMAS } from "./row-cleaner.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Age of an erasure at which the tables are rebuilt at the next quiet moment. */
const AGE_MS = (OVERWRITTEN_DAYS - 1) * DAY_MS;
/** Age at which the rebuild no longer waits for a quiet moment. */
const LIMIT_MS = OVERWRITTEN_DAYS * DAY_MS;
/** An erasure this shortly before a rebuild counts as later than it, since clocks differ. */
const MARGIN_MS = HOUR_MS;
/** How long the log must have no new events for the moment to count as quiet, in milliseconds. */
const QUIET_MS = 10 * 60_000;
/** Milliseconds between checks. */
const INTERVAL_MS = 5_000;

export interface ErasureRebuildDeps
  extends Omit<RebuildDeps, "onProgress" | "signal" | "parks" | "log"> {
  readonly projections: readonly Projection[];
  readonly processors: readonly Pick<Processor, "name" | "health">[];
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

/**
 * Rebuilds tables a week after an erasure. VACUUM leaves the bytes of a removed row in the table's
 * file, but a rebuild creates a new file. The owner of a processor rebuilds its tables beside the
 * live ones. The time of the last rebuild, whoever started it, is stored with the checkpoint.
 */
export class ErasureRebuild {
  readonly #deps: ErasureRebuildDeps;
  readonly #now: () => number;
  readonly #checks: Periodic;
  /** Times of erasures younger than the limit. `#old` is the latest of the others. */
  #young: number[] = [];
  #old = Number.NEGATIVE_INFINITY;
  #head: Position | undefined;
  #headSince = 0;

  constructor(deps: ErasureRebuildDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#checks = new Periodic((signal) => this.check(signal), {
      everyMs: INTERVAL_MS,
      onError: (err) => {
        // Another process is rebuilding the tables, so nothing is left to do.
        if (!(err instanceof RebuildRuns))
          deps.log.warn({ err }, "couldn't rebuild tables; will retry");
      },
    });
  }

  /** @param times of erasures, RFC 3339. Every start reports all of them again. */
  record(times: readonly string[]): void {
    for (const time of times) this.#young.push(Date.parse(time));
    this.#age();
  }

  /** Starts periodic checks once the log's erasures are known. */
  start(known: Promise<void>): void {
    void known.then(() => this.#checks.start());
  }

  stop(): Promise<void> {
    return this.#checks.stop();
  }

  /** Rebuilds tables that are due. @returns the processors with new tables. @throws like {@link rebuild}. */
  async check(signal?: AbortSignal): Promise<readonly ProcessorName[]> {
    const { pool, log } = this.#deps;
    const latest = this.#latest(await this.#isQuiet());
    const begun = await readRebuildTimes(pool);
    const due = this.#owned().filter(({ name }) => {
      const begunAt = begun.get(name)?.getTime() ?? Number.NEGATIVE_INFINITY;
      return latest > begunAt - MARGIN_MS;
    });
    if (due.length === 0) return [];
    const processors = due.map(({ name }) => name);
    log.info({ processors }, "rebuilding tables that held erased rows");
    // One damaged event must not keep the bytes of erased rows forever.
    return (await rebuild({ ...this.#deps, ...omitUndefined({ signal }), parks: true }, due))
      .processors;
  }

  async #isQuiet(): Promise<boolean> {
    const head = await this.#deps.store.head();
    const now = this.#now();
    if (head !== this.#head) this.#headSince = now;
    this.#head = head;
    return now - this.#headSince >= QUIET_MS;
  }

  /** Projections that are live in this process. Others belong to another process or another version. */
  #owned(): Projection[] {
    const { projections, processors } = this.#deps;
    const live = new Set(
      processors.filter((each) => each.health().state === "live").map(({ name }) => name),
    );
    return projections.filter(
      ({ name, schemas, rebuild }) =>
        rebuild && live.has(name) && schemas.some((schema) => ERASED_SCHEMAS.includes(schema)),
    );
  }

  /** Returns the time of the latest erasure that is old enough. */
  #latest(isQuiet: boolean): number {
    this.#age();
    if (!isQuiet) return this.#old;
    const until = this.#now() - AGE_MS;
    return this.#young.filter((time) => time <= until).reduce((a, b) => Math.max(a, b), this.#old);
  }

  #age(): void {
    const until = this.#now() - LIMIT_MS;
    for (const time of this.#young) if (time <= until) this.#old = Math.max(this.#old, time);
    this.#young = this.#young.filter((time) => time > until);
  }
}
