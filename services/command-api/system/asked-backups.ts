import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { BackupReport, BackupRun, RunBackup } from "#operations/backup-report.ts";
import { WANTED_SECONDS } from "#operations/backup-table.ts";

/** Milliseconds between two looks, and for how long the database may be away meanwhile. */
const TIMES = { lookMs: 1000, awayMs: 45_000 };
/** Seconds until a backup that nobody has begun, or whose process says nothing, has failed. */
const SILENT_SECONDS = 45;

/** What nobody wants any more frees the place; what has ended stays for a day. */
const SWEEP = `
  delete from ops.backup where wanted_at < now() - interval '1 day'
    or (report is null and id <> $1 and wanted_at < now() - interval '${WANTED_SECONDS} seconds')`;
/** Does nothing while another one is being made. */
const ASK = "insert into ops.backup (id, task) values ($1, $2) on conflict do nothing";
const WANT = `
  update ops.backup set wanted_at = now() where id = $1
  returning bytes::float8 as bytes, report, runner is not null as is_begun,
    extract(epoch from now() - coalesce(beat_at, asked_at))::float8 as silent`;
const WITHDRAW = "delete from ops.backup where id = $1 and report is null";

interface Standing {
  readonly bytes: number;
  readonly report: BackupReport | null;
  readonly is_begun: boolean;
  /** Seconds since the process that makes it was last there. */
  readonly silent: number;
}

/**
 * Has backups made by the process that is there for them. It is asked by a row, which says in turn how far it is: the two have
 * no address of each other. Whoever comes later waits until the one before has ended.
 */
export function askedBackups(deps: {
  readonly pool: Pick<Pool, "query">;
  readonly log: Pick<Logger, "warn">;
  readonly times?: typeof TIMES;
}): RunBackup {
  const { pool, log, times = TIMES } = deps;

  async function look({ id, task, wrote }: BackupRun): Promise<BackupReport | undefined> {
    await pool.query(SWEEP, [id]);
    const { rows } = await pool.query<Standing>(WANT, [id]);
    const [standing] = rows;
    if (!standing) {
      await pool.query(ASK, [id, JSON.stringify(task)]);
      return undefined;
    }
    if (standing.report) return standing.report;
    wrote(standing.bytes);
    if (standing.silent < SILENT_SECONDS) return undefined;
    await pool.query(WITHDRAW, [id]);
    return { outcome: "failed", reason: standing.is_begun ? "lost" : "absent" };
  }

  return async (signal, run) => {
    let answeredAt = performance.now();
    while (!signal.aborted) {
      try {
        const report = await look(run);
        if (report) return report;
        answeredAt = performance.now();
      } catch (err) {
        log.warn({ err }, "the backup that is being made is asked about again");
        if (performance.now() - answeredAt > times.awayMs)
          return { outcome: "failed", reason: "lost" };
      }
      await delay(times.lookMs, undefined, { signal }).catch(() => undefined);
    }
    if (!run.isLeft())
      await pool
        .query(WITHDRAW, [run.id])
        .catch((err) => log.warn({ err }, "a backup is stopped within a minute"));
    return { outcome: "failed", reason: "other" };
  };
}
