import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Settings } from "#contracts/settings/settings-at.ts";
import { pause } from "#event-store/follow-log.ts";
import {
  type BackupReport,
  type BackupRun,
  REQUESTER_TIMEOUT_SECONDS,
  type RunBackup,
} from "#operations/backup-table.ts";
import { withLock } from "#runtime/db/lock.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import type { Dependencies } from "../dependencies.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { type BackupMeans, Backups } from "./backups.ts";
import { systemAggregate } from "./system.aggregate.ts";
import type { SystemCommand } from "./system.decider.ts";

const DAY_MS = 24 * 3_600_000;
/** Milliseconds between two checks of the clock. */
const POLL_MS = 30_000;
/** Maximum number of attempts at one day's backup. */
const MAX_ATTEMPTS = 3;
/** Milliseconds before a failed backup is retried: a full disk is still full at the next check. */
const AFTER_FAILURE_MS = 3_600_000;

type ScheduleDeps = Pick<Dependencies, "handler" | "databaseUrl"> & {
  readonly backups: Backups;
  /** Whether daily backups are turned on. */
  readonly isOn: () => boolean;
  /** When the backup is due: hours and minutes in UTC, `02:00`. */
  readonly time: () => string;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly now?: () => Date;
};

/** Returns the most recent day, in UTC, whose backup has come due. @param time `02:00`. */
export function dueDay(now: Date, time: string): string {
  const isDue = now.toISOString().slice(11, 16) >= time;
  return new Date(isDue ? now : now.getTime() - DAY_MS).toISOString().slice(0, 10);
}

/**
 * Makes a backup each day. A registry that was not running at that time makes it when it starts. An attempt that
 * was interrupted or failed is retried, up to three attempts in all. The stream of each attempt follows from the
 * day and its number, and a lock allows one process at a time.
 */
export class BackupSchedule {
  readonly #deps: ScheduleDeps;
  readonly #looks: Periodic;
  /** The last day whose backup was made or given up, as far as this process knows. */
  #over = "";
  /** Earliest retry after a failure in this process, in milliseconds since 1970. */
  #notBefore = 0;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
    this.#looks = new Periodic((signal) => this.#look(signal), {
      everyMs: POLL_MS,
      onError: (err) => deps.log.warn({ err }, "the daily backup will be retried"),
    });
  }

  start(): void {
    this.#looks.start();
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Makes the backup that is due, unless another process has. Never rejects. */
  look(): Promise<void> {
    return this.#looks.now();
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { backups, isOn, time, now = () => new Date() } = this.#deps;
    const day = dueDay(now(), time());
    if (day <= this.#over || !isOn() || now().getTime() < this.#notBefore) return;
    if (backups.isBusy) return;
    const connection = { url: this.#deps.databaseUrl, name: "command-api backup" };
    await withLock(connection, "backup:daily", () => this.#attempt(day, signal));
  }

  /** Begins the day's next attempt, unless one has succeeded. */
  async #attempt(day: string, signal: AbortSignal): Promise<void> {
    const { handler } = this.#deps;
    // A process with the new backup time may have begun the next day's backup before this one learns of the time.
    const next = dueDay(new Date(Date.parse(day) + DAY_MS), "00:00");
    if (await handler.load(systemAggregate(idOf(next, 1)))) {
      this.#over = day;
      return;
    }
    for (let number = 1; number <= MAX_ATTEMPTS; number += 1) {
      const action = { jobId: idOf(day, number), action: "backup" } as const;
      const earlier = (await handler.load(systemAggregate(action.jobId)))?.state;
      if (!earlier) return this.#make(day, action, signal, number === MAX_ATTEMPTS);
      // A process still making it would hold the lock, so this attempt was interrupted.
      if (!earlier.isEnded)
        await this.#note({
          type: "EndSystemAction",
          ...action,
          outcome: "failed",
          count: undefined,
        });
      if (earlier.outcome === "done") break;
    }
    this.#over = day;
  }

  async #make(
    day: string,
    action: { readonly jobId: string; readonly action: "backup" },
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<void> {
    const { backups, log, now = () => new Date() } = this.#deps;
    await this.#note({ type: "StartSystemAction", ...action });
    const task = { task: "make", byHand: false } as const;
    const run = { id: action.jobId, task, isLeft: () => false, wrote: () => undefined };
    const report = await backups.run(signal, run).catch(() => undefined);
    const isUnrotated = report?.outcome === "failed" && report.reason === "unrotated";
    const isMade = report?.outcome === "made" || isUnrotated;
    await this.#note({
      type: "EndSystemAction",
      ...action,
      outcome: isMade ? "done" : signal.aborted ? "stopped" : "failed",
      count: report?.outcome === "made" ? report.events : undefined,
    });
    if (isMade || isLast) this.#over = day;
    else this.#notBefore = now().getTime() + AFTER_FAILURE_MS;
    if (isUnrotated)
      log.error({ day }, "the daily backup was made, but old ones could not be deleted");
    else if (!isMade) log.error({ day, isLast }, "the daily backup was not made");
  }

  #note(command: SystemCommand) {
    const { handler, now = () => new Date() } = this.#deps;
    const caller = systemCaller(now().toISOString());
    return handler.execute(systemAggregate(command.jobId), command, newEnvelope(caller));
  }
}

const idOf = (day: string, attempt: number) => {
  // The first attempt keeps the name from when there was only one.
  const name = `daily backup of ${day}${attempt === 1 ? "" : `, attempt ${attempt}`}`;
  return aggregateIdOf(createHash("sha256").update(name).digest("hex"));
};

/** Creates what makes backups on request and daily; neither if only the operator's command makes them. */
export function openBackups(
  means: BackupMeans | undefined,
  {
    settings,
    ...deps
  }: Pick<ScheduleDeps, "databaseUrl" | "handler" | "log"> & {
    readonly pool: Pick<Pool, "query">;
    readonly settings: () => Settings;
  },
): { readonly backups: Backups | undefined; readonly schedule: BackupSchedule | undefined } {
  if (!means) return { backups: undefined, schedule: undefined };
  const { pool, log } = deps;
  const backups = new Backups(means.make ?? askedBackups({ pool, log }));
  const schedule = new BackupSchedule({
    ...deps,
    backups,
    isOn: () => settings().autoBackup,
    time: () => settings().backupTime || means.time,
  });
  return { backups, schedule };
}

/** Milliseconds between checks, and how long the database may be unavailable in between. */
const TIMES = { lookMs: 1000, awayMs: 45_000 };
/** Seconds after which a backup that no process has started or reported on has failed. */
const SILENT_SECONDS = 45;

/** Requests that are no longer wanted are deleted; finished ones are kept for a day. */
const SWEEP = `
  delete from ops.backup where wanted_at < now() - interval '1 day'
    or (report is null and id <> $1 and wanted_at < now() - interval '${REQUESTER_TIMEOUT_SECONDS} seconds')`;
/** No-op while another one is being made. */
const ASK = "insert into ops.backup (id, task) values ($1, $2) on conflict do nothing";
const WANT = `
  update ops.backup set wanted_at = now() where id = $1
  returning bytes::float8 as bytes, report, runner is not null as is_begun,
    extract(epoch from now() - coalesce(beat_at, asked_at))::float8 as silent`;
const WITHDRAW = "delete from ops.backup where id = $1 and report is null";

interface BackupStatus {
  readonly bytes: number;
  readonly report: BackupReport | null;
  readonly is_begun: boolean;
  /** Seconds since the process that makes it last reported. */
  readonly silent: number;
}

/** Delegates backups to the backup process, through a row with their progress. Later requests wait. */
export function askedBackups(deps: {
  readonly pool: Pick<Pool, "query">;
  readonly log: Pick<Logger, "warn">;
  readonly times?: typeof TIMES;
}): RunBackup {
  const { pool, log, times = TIMES } = deps;

  async function look({ id, task, wrote }: BackupRun): Promise<BackupReport | undefined> {
    await pool.query(SWEEP, [id]);
    const { rows } = await pool.query<BackupStatus>(WANT, [id]);
    const [row] = rows;
    if (!row) {
      await pool.query(ASK, [id, JSON.stringify(task)]);
      return undefined;
    }
    if (row.report) return row.report;
    wrote(row.bytes);
    if (row.silent < SILENT_SECONDS) return undefined;
    await pool.query(WITHDRAW, [id]);
    return { outcome: "failed", reason: row.is_begun ? "lost" : "absent" };
  }

  return async (signal, run) => {
    let answeredAt = performance.now();
    while (!signal.aborted) {
      try {
        const report = await look(run);
        if (report) return report;
        answeredAt = performance.now();
      } catch (err) {
        log.warn({ err }, "could not check on the backup; will retry");
        if (performance.now() - answeredAt > times.awayMs)
          return { outcome: "failed", reason: "lost" };
      }
      await pause(times.lookMs, signal);
    }
    if (!run.isLeft())
      await pool
        .query(WITHDRAW, [run.id])
        .catch((err) => log.warn({ err }, "could not cancel the backup; it stops within a minute"));
    return { outcome: "failed", reason: "other" };
  };
}
