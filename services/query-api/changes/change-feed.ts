import { sql } from "kysely";
import { DomainError } from "#contracts/domain-error.ts";
import type { LogPosition } from "#http/position-headers.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import type { Checkpoint, CheckpointWatcher } from "../freshness/read-your-writes.ts";
import { MAX_WINDOW } from "../placed-lists.ts";

/** Whose tables the console shows. The others feed the public search, and emails. */
const SHOWN = PROCESSORS.filter((name) => name !== "search" && name !== "outbox");
/** The processor whose tables say what has changed. */
const AUDIT: ProcessorName = "audit";
/** Changes that are read at once, and that someone who comes back is told of. */
const AT_ONCE = 500;
/** Milliseconds between two looks while someone listens, in case a notification was lost. */
const LOOKS_MS = 2_000;

/** Streams whose events are in all tables that the console shows, up to the position. */
export interface ChangedStreams {
  readonly at: LogPosition;
  /** Undefined when they are too many, or of another epoch: everything may have changed. */
  readonly streams: readonly string[] | undefined;
}

type ChangeListener = (changed: ChangedStreams) => void;

interface Deps {
  readonly db: ReadModelDatabase;
  readonly watcher: Pick<CheckpointWatcher, "reach">;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows what changes in the registry, once for the whole process, while someone listens: it reads the
 * new entries of the audit log, and tells of them once the tables that the console shows have them too. A
 * processor that lags holds it up for as long as a read would wait; what it lacks is told of once more.
 */
export class ChangeFeed {
  readonly #deps: Deps;
  readonly #listeners = new Set<ChangeListener>();
  #at: LogPosition | undefined;
  /** What was told of before all tables had it. */
  #early: readonly string[] = [];
  readonly #looks: Periodic;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { onError } = deps;
    this.#looks = new Periodic(() => this.#look(), { everyMs: LOOKS_MS, onError });
  }

  /** Called with each processor that has advanced. */
  readonly advanced = (processor: string): void => {
    if (processor === AUDIT && this.#at) void this.#looks.afresh();
  };

  /**
   * Tells the listener of everything from a position on.
   * @param since position that the listener has reached; absent: now.
   * @returns the position from which on it is told, what has changed between `since` and there, and how to
   *   stop. Undefined before the first event of the log.
   */
  async listen(
    listener: ChangeListener,
    since?: LogPosition,
  ): Promise<{ readonly missed: ChangedStreams; readonly stop: () => void } | undefined> {
    const checkpoint = this.#at ? undefined : await this.#checkpoint();
    this.#at ??= checkpoint;
    const at = this.#at;
    if (!at) return undefined;
    // Before anything is awaited, so that nothing is missed between.
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
    // No one listens anymore, or someone has started again.
    if (this.#at !== from) return;
    // Told before, and still not there.
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

  /** The streams of the events after one position up to another; undefined if they are too many. */
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

/** Milliseconds between two looks while someone listens. */
const LOOK_AT_CLAIMS_MS = 1_000;
/** In place of what was seen where no look has succeeded; different from all claims. */
const UNKNOWN = "";

interface ClaimWatchDeps {
  readonly db: ReadModelDatabase;
  /** Told once of each outage. */
  readonly onError: (error: unknown) => void;
  readonly looksMs?: number;
}

/**
 * Notices that moderators take reports of the queue and that they are free again, also by the time or with the
 * session of the person who took them, which nothing is written for. So it compares, once for the whole
 * process, while someone listens.
 */
export class ClaimWatch {
  readonly #deps: ClaimWatchDeps;
  readonly #listeners = new Set<() => void>();
  readonly #looks: Periodic;
  #seen: string | undefined;

  constructor(deps: ClaimWatchDeps) {
    this.#deps = deps;
    this.#looks = new Periodic(() => this.#compare(), {
      everyMs: deps.looksMs ?? LOOK_AT_CLAIMS_MS,
      onError: (error, isFirst) => {
        // What changes before the first look that succeeds is noticed by that.
        this.#seen ??= UNKNOWN;
        if (isFirst) deps.onError(error);
      },
    });
  }

  /** @returns how to stop, once every later claim is noticed. */
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

  /** Who has which report, and until when, as one text. */
  async #claims(): Promise<string> {
    const rows = await this.#deps.db
      .selectFrom("command.queue_lease as l")
      .leftJoin("command.session as s", "s.id", "l.session_id")
      .select(["l.report_id", "l.account_id", "l.until"])
      .where("s.ended_at", "is", null)
      .where("l.until", ">", sql<Date>`now()`)
      .orderBy("l.report_id")
      .limit(MAX_WINDOW)
      .execute();
    return JSON.stringify(rows);
  }
}

/** Streams that one process keeps open: of one account, and in all. */
export const STREAM_BOUNDS = { ofAccount: 10, inAll: 500 } as const;

/** Counts the streams of a process that are open. */
export class OpenStreams {
  readonly #bounds: { readonly ofAccount: number; readonly inAll: number };
  readonly #byAccount = new Map<string, number>();
  #all = 0;

  constructor(bounds: { readonly ofAccount: number; readonly inAll: number } = STREAM_BOUNDS) {
    this.#bounds = bounds;
  }

  get count(): number {
    return this.#all;
  }

  /** Counts a stream of the account. @returns what ends it. @throws {DomainError} `too_many_streams`, `unavailable` */
  open(accountId: string): () => void {
    const own = this.#byAccount.get(accountId) ?? 0;
    if (own >= this.#bounds.ofAccount)
      throw new DomainError(
        "too_many_streams",
        `Your account is already open in ${own} windows. Close one of them.`,
      );
    if (this.#all >= this.#bounds.inAll)
      throw new DomainError(
        "unavailable",
        "Too many windows are open right now. Please try again in a moment.",
      );
    this.#byAccount.set(accountId, own + 1);
    this.#all += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#byAccount.get(accountId) ?? 1) - 1;
      if (left > 0) this.#byAccount.set(accountId, left);
      else this.#byAccount.delete(accountId);
      this.#all -= 1;
    };
  }
}
