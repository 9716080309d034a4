import { createHmac, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { DatabaseBusy } from "#runtime/db/pool.ts";

interface View {
  readonly day: string;
  readonly reportId: string;
  readonly visitor: Buffer;
}

/** Pending views are written once there are this many, or after the delay. */
const BATCH = 500;
const DELAY_MS = 500;
/** Pause after a failed write, in milliseconds. */
const RETRY_MS = 5_000;
/** Maximum number of pending views while the database is unavailable. */
const MAX_WAITING = 10_000;
/** Days after its Monday that a week's counts are kept: a week's summary is sent after it has ended. */
const WEEKS_KEPT_DAYS = 21;

/** Counts views in batches, once per visitor, report and day (UTC). */
export class ViewCounter {
  readonly #pool: Pool;
  readonly #onError: (error: unknown) => void;
  #waiting: View[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #key: { day: string; key: Buffer } | undefined;

  constructor(pool: Pool, onError: (error: unknown) => void) {
    this.#pool = pool;
    this.#onError = onError;
  }

  /** @param now RFC 3339 time of the view. @throws {DatabaseBusy} if too many views are pending. */
  async record(reportId: string, address: string, now: string): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) throw new DatabaseBusy("too many views wait");
    const day = now.slice(0, 10);
    const key = await this.#dayKey(day);
    const visitor = createHmac("sha256", key).update(address).digest();
    this.#waiting.push({ day, reportId, visitor });
    if (this.#waiting.length >= BATCH) this.#flushSoon(0);
    else this.#flushSoon(DELAY_MS);
  }

  /** Writes the pending views. Rejects if that fails, and keeps them for the next attempt. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const former = this.#flushing.catch(() => undefined);
    this.#flushing = former.then(() => this.#write());
    return this.#flushing;
  }

  /** Writes the pending views one last time. What the database does not accept now is lost. */
  async stop(): Promise<void> {
    await this.flush().catch(this.#onError);
    clearTimeout(this.#timer);
  }

  /** Deletes keys and marks of earlier days, and counts of weeks that no summary will cover. */
  async forgetFormerDays(now: string): Promise<void> {
    const today = now.slice(0, 10);
    if (this.#key && this.#key.day !== today) this.#key = undefined;
    await this.#pool.query("delete from views.day_key where day < $1", [today]);
    await this.#pool.query("delete from views.seen where day < $1", [today]);
    await this.#pool.query("delete from views.report_week where week < $1::date - $2::int", [
      today,
      WEEKS_KEPT_DAYS,
    ]);
  }

  /** Deletes the counts of deleted reports. Another process may still have pending views of them. */
  async forget(reportIds: readonly string[]): Promise<void> {
    const gone = new Set(reportIds);
    this.#waiting = this.#waiting.filter(({ reportId }) => !gone.has(reportId));
    await this.#flushing.catch(() => undefined);
    for (const table of ["report_views", "report_week", "seen"])
      await this.#pool.query(`delete from views.${table} where report_id = any($1::uuid[])`, [
        [...gone],
      ]);
  }

  #flushSoon(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.flush().catch(this.#onError);
    }, ms).unref();
  }

  async #write(): Promise<void> {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    try {
      await this.#store(batch);
    } catch (error) {
      // A view that is written twice counts once, because its mark already exists.
      this.#waiting = [...batch, ...this.#waiting];
      this.#flushSoon(RETRY_MS);
      throw error;
    }
  }

  /** All processes lock rows in the same order. */
  async #store(batch: readonly View[]): Promise<void> {
    await this.#pool.query(
      `with fresh as materialized (
         insert into views.seen (day, report_id, visitor)
         select distinct * from unnest($1::date[], $2::uuid[], $3::bytea[]) order by 1, 2, 3
         on conflict do nothing
         returning report_id, day
       ), weeks as (
         insert into views.report_week as w (report_id, week, views)
         select report_id, date_trunc('week', day)::date, count(*)
         from fresh group by 1, 2 order by 1, 2
         on conflict (report_id, week) do update set views = w.views + excluded.views
       )
       insert into views.report_views as v (report_id, views)
       select report_id, count(*) from fresh group by report_id order by report_id
       on conflict (report_id) do update set views = v.views + excluded.views`,
      [
        batch.map(({ day }) => day),
        batch.map(({ reportId }) => reportId),
        batch.map(({ visitor }) => visitor),
      ],
    );
  }

  /** Returns the day's key, created by the first process that needs it. */
  async #dayKey(day: string): Promise<Buffer> {
    if (this.#key?.day === day) return this.#key.key;
    const { rows } = await this.#pool.query<{ key: Buffer }>(
      `insert into views.day_key as k (day, key) values ($1, $2)
       on conflict (day) do update set key = k.key returning key`,
      [day, randomBytes(32)],
    );
    const key = rows[0]?.key;
    if (!key) throw new Error("no key of the day");
    this.#key = { day, key };
    return key;
  }
}
