import { ConstantBackoff, handleAll, retry } from "cockatiel";
import type { Pool } from "pg";
import type { Logger } from "pino";
import {
  type BackupReport,
  type BackupTask,
  REQUESTER_TIMEOUT_SECONDS,
  type RunBackup,
} from "#operations/backup-table.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";

/** Milliseconds between polls, and between heartbeats of a running backup. */
const TIMES = { lookMs: 1000, beatMs: 2000 };
/** Maximum attempts to write a result while the database is down. */
const MAX_WRITES = 20;

export interface KeeperDeps {
  readonly requests: Pick<BackupRequests, "take" | "beat" | "end">;
  readonly make: RunBackup;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  readonly times?: typeof TIMES;
}

/** Makes and verifies the requested backups, one at a time. */
export class BackupKeeper {
  readonly #deps: KeeperDeps;
  readonly #times: typeof TIMES;
  readonly #looks: Periodic;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#times = deps.times ?? TIMES;
    this.#looks = new Periodic((signal) => this.#work(signal), {
      everyMs: this.#times.lookMs,
      onError: (err) => deps.log.warn({ err }, "could not poll for backup requests; retrying"),
    });
  }

  start(): void {
    this.#looks.start();
  }

  /** Aborts the running backup, which then leaves nothing behind, and reports that. */
  stop(): Promise<void> {
    return this.#looks.stop();
  }

  async #work(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      const taken = await this.#deps.requests.take();
      if (!taken) return;
      await this.#make(taken, ending);
    }
  }

  async #make({ id, task }: TakenRequest, ending: AbortSignal): Promise<void> {
    const { make, log, requests } = this.#deps;
    const unwanted = new AbortController();
    const signal = AbortSignal.any([ending, unwanted.signal]);
    let bytes = 0;
    const beat = async () => {
      if (!(await requests.beat(id, bytes))) unwanted.abort();
    };
    const beats = new Periodic(beat, {
      everyMs: this.#times.beatMs,
      onError: (err) => log.warn({ err }, "the backup progress could not be saved"),
    });
    beats.start();
    try {
      log.info({ id, task: task.task }, "backup started");
      const wrote = (now: number) => {
        bytes = now;
      };
      const report = await make(signal, { id, task, isLeft: () => false, wrote });
      const isCut = signal.aborted && report.outcome === "failed";
      await this.#end(id, ending, isCut ? { outcome: "failed", reason: "lost" } : report);
      log.info({ id, outcome: isCut ? "stopped" : report.outcome }, "backup finished");
    } finally {
      await beats.stop();
    }
  }

  /** A brief database outage must not cost a backup. */
  async #end(id: string, ending: AbortSignal, report: BackupReport): Promise<void> {
    const { log, requests } = this.#deps;
    const write = () =>
      requests.end(id, report).catch((err) => {
        log.warn({ err }, "the backup result could not be saved; retrying");
        throw err;
      });
    const backoff = new ConstantBackoff(this.#times.lookMs);
    const writes = retry(handleAll, { maxAttempts: MAX_WRITES - 1, backoff });
    await writes.execute(write, ending).catch(() => undefined);
  }
}

const IS_WANTED = `report is null and wanted_at > now() - interval '${REQUESTER_TIMEOUT_SECONDS} seconds'`;

/** A request that was started is never restarted: its requester reports it as lost, and requests a new one. */
const TAKE = `
  update ops.backup set runner = $1, beat_at = now() where id = (
    select id from ops.backup where ${IS_WANTED} and runner is null for update skip locked limit 1
  ) returning id, task`;
const BEAT = `
  update ops.backup set beat_at = now(), bytes = $3 where id = $1 and runner = $2 and ${IS_WANTED}`;
const END = `
  update ops.backup set beat_at = now(), report = $3
  where id = $1 and runner = $2 and report is null`;

interface TakenRequest {
  readonly id: string;
  readonly task: BackupTask;
}

/** The requests that command-api writes for the backup process. Times are the database's. */
export class BackupRequests {
  readonly #pool: Pick<Pool, "query">;
  readonly #runner: string;

  /** @param runner a UUID of this process. */
  constructor(pool: Pick<Pool, "query">, runner: string) {
    this.#pool = pool;
    this.#runner = runner;
  }

  async take(): Promise<TakenRequest | undefined> {
    const { rows } = await this.#pool.query<TakenRequest>(TAKE, [this.#runner]);
    return rows[0];
  }

  /** Reports progress. @returns whether the backup is still wanted. */
  async beat(id: string, bytes: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(BEAT, [id, this.#runner, bytes]);
    return rowCount === 1;
  }

  async end(id: string, report: BackupReport): Promise<void> {
    await this.#pool.query(END, [id, this.#runner, JSON.stringify(report)]);
  }
}
