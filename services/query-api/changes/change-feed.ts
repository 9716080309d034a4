import type { LogPosition } from "#http/position-headers.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import type { Checkpoint, CheckpointWatcher } from "../freshness/read-your-writes.ts";
import { openClaims } from "../queue/queue.queries.ts";

/** Processors whose tables the console shows. The others feed the public search and emails. */
const SHOWN = PROCESSORS.filter((name) => name !== "search" && name !== "outbox");
/** The processor whose tables list what has changed. */
const AUDIT: ProcessorName = "audit";
/** Maximum changes read at once, and reported to a returning listener. */
const AT_ONCE = 500;
/** Milliseconds between polls while anyone listens, in case a notification was lost. */
const POLL_MS = 2_000;

/** Streams whose events are in all tables that the console shows, up to the position. */
export interface ChangedStreams {
  readonly at: LogPosition;
  /** Undefined if there are too many, or the epoch differs: anything may have changed. */
  readonly streams: readonly string[] | undefined;
}

type ChangeListener = (changed: ChangedStreams) => void;

interface Deps {
  readonly db: ReadModelDatabase;
  readonly watcher: Pick<CheckpointWatcher, "reach">;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows changes in the registry, once per process, while anyone listens: reads new entries of the audit
 * log, and reports them once the tables that the console shows have them too. A lagging processor delays
 * the report for as long as a read would wait; what it lacks is reported again.
 */
export class ChangeFeed {
  readonly #deps: Deps;
  readonly #listeners = new Set<ChangeListener>();
  #at: LogPosition | undefined;
  /** Streams reported before all tables had them. */
  #early: readonly string[] = [];
  readonly #looks: Periodic;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { onError } = deps;
    this.#looks = new Periodic(() => this.#look(), { everyMs: POLL_MS, onError });
  }

  /** Called with each processor that has advanced. */
  readonly advanced = (processor: string): void => {
    if (processor === AUDIT && this.#at) void this.#looks.afresh();
  };

  /**
   * Reports every change after a position to the listener.
   * @param since position that the listener has reached; by default now.
   * @returns changes between `since` and the position from which the listener is called, and how to stop.
   * Undefined before the first event of the log.
   */
  async listen(
    listener: ChangeListener,
    since?: LogPosition,
  ): Promise<{ readonly missed: ChangedStreams; readonly stop: () => void } | undefined> {
    const checkpoint = this.#at ? undefined : await this.#checkpoint();
    this.#at ??= checkpoint;
    const at = this.#at;
    if (!at) return undefined;
    // Before awaiting anything, so that nothing is missed in between.
    this.#listeners.add(listener);
    this.#looks.start();
    const stop = () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest();
    };
    try {
      const from = since ?? at;
      const streams = from.epoch === at.epoch ? await this.#between(from, at) : undefined;
      return { missed: { at, streams }, stop };
    } catch (error) {
      stop();
      throw error;
    }
  }

  #rest(): void {
    this.#looks.pause();
    this.#at = undefined;
    this.#early = [];
  }

  async #look(): Promise<void> {
    const from = this.#at;
    if (!from) return;
    const to = await this.#checkpoint();
    if (!to) return;
    const streams = from.epoch === to.epoch ? await this.#between(from, to) : undefined;
    if (streams?.length === 0 && this.#early.length === 0) {
      if (this.#at === from) this.#at = to;
      return;
    }
    const isThere = await this.#deps.watcher.reach(SHOWN, to);
    // No one listens anymore, or someone has restarted.
    if (this.#at !== from) return;
    // Already reported, and still missing.
    if (streams?.length === 0 && !isThere) return;
    const all = streams && [...this.#early, ...streams];
    this.#early = isThere ? [] : (all ?? []).slice(-AT_ONCE);
    this.#at = to;
    for (const listener of [...this.#listeners]) listener({ at: to, streams: all });
  }

  async #checkpoint(): Promise<LogPosition | undefined> {
    const found: Pick<Checkpoint, "epoch" | "position"> | undefined = await this.#deps.db
      .selectFrom("processor.checkpoint")
      .select(["epoch", "position"])
      .where("processor", "=", AUDIT)
      .executeTakeFirst();
    return found?.epoch ? { epoch: found.epoch, position: found.position } : undefined;
  }

  /** The streams of the events after one position up to another; undefined if there are too many. */
  async #between(after: LogPosition, to: LogPosition): Promise<readonly string[] | undefined> {
    if (after.position >= to.position) return [];
    const rows = await this.#deps.db
      .selectFrom("audit.entry")
      .select("stream")
      .where("position", ">", after.position)
      .where("position", "<=", to.position)
      .orderBy("position")
      .limit(AT_ONCE + 1)
      .execute();
    return rows.length > AT_ONCE ? undefined : rows.map(({ stream }) => stream);
  }
}

/** Milliseconds between polls while anyone listens. */
const LOOK_AT_CLAIMS_MS = 1_000;
/** Differs from all claims; stands for the last state until a poll succeeds. */
const UNKNOWN = "";

interface ClaimWatchDeps {
  readonly db: ReadModelDatabase;
  /** Called once per outage. */
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number;
}

/**
 * Notices when moderators claim reports in the queue or release them. Claims also end by timeout or with
 * their owner's session, which writes no event, so this polls and compares, once per process, while
 * anyone listens.
 */
export class ClaimPoller {
  readonly #deps: ClaimWatchDeps;
  readonly #listeners = new Set<() => void>();
  readonly #looks: Periodic;
  #seen: string | undefined;

  constructor(deps: ClaimWatchDeps) {
    this.#deps = deps;
    this.#looks = new Periodic(() => this.#compare(), {
      everyMs: deps.pollMs ?? LOOK_AT_CLAIMS_MS,
      onError: (error, isFirst) => {
        // Changes before the first successful poll are noticed by that poll.
        this.#seen ??= UNKNOWN;
        if (isFirst) deps.onError(error);
      },
    });
  }

  /** @returns how to stop. Resolves once every later claim will be noticed. */
  async listen(listener: () => void): Promise<() => void> {
    this.#listeners.add(listener);
    this.#looks.start();
    if (this.#seen === undefined) await this.#looks.now();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#looks.pause();
      this.#seen = undefined;
    };
  }

  async #compare(): Promise<void> {
    const claims = await this.#claims();
    if (this.#listeners.size === 0) return;
    const before = this.#seen;
    this.#seen = claims;
    if (before === undefined || before === claims) return;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Who has claimed which report, and until when, as one text. */
  async #claims(): Promise<string> {
    return JSON.stringify(await openClaims(this.#deps.db).orderBy("l.report_id").execute());
  }
}
