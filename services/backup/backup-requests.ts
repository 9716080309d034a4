import type { Pool } from "pg";
import type { BackupReport, BackupTask } from "#operations/backup-report.ts";
import { WANTED_SECONDS } from "#operations/backup-table.ts";

const IS_WANTED = `report is null and wanted_at > now() - interval '${WANTED_SECONDS} seconds'`;

/** One that was begun before is never begun again: whoever asked says that it is lost, and asks anew. */
const TAKE = `
  update ops.backup set runner = $1, beat_at = now() where id = (
    select id from ops.backup where ${IS_WANTED} and runner is null for update skip locked limit 1
  ) returning id, task`;
const BEAT = `
  update ops.backup set beat_at = now(), bytes = $3 where id = $1 and runner = $2 and ${IS_WANTED}`;
const END = `
  update ops.backup set beat_at = now(), report = $3
  where id = $1 and runner = $2 and report is null`;

export interface TakenRequest {
  readonly id: string;
  readonly task: BackupTask;
}

/** What command-api wants of the process that makes backups. Times are the database's. */
export class BackupRequests {
  readonly #pool: Pick<Pool, "query">;
  readonly #runner: string;

  /** @param runner a UUID of this process. */
  constructor(pool: Pick<Pool, "query">, runner: string) {
    this.#pool = pool;
    this.#runner = runner;
  }

  /** Takes what waits. */
  async take(): Promise<TakenRequest | undefined> {
    const { rows } = await this.#pool.query<TakenRequest>(TAKE, [this.#runner]);
    return rows[0];
  }

  /** Says how far it is. @returns whether it is still wanted. */
  async beat(id: string, bytes: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(BEAT, [id, this.#runner, bytes]);
    return rowCount === 1;
  }

  async end(id: string, report: BackupReport): Promise<void> {
    await this.#pool.query(END, [id, this.#runner, JSON.stringify(report)]);
  }
}
