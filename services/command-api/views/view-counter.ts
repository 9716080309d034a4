import { createHmac, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Migration } from "#kit/db/migrate.ts";

/** Views are no events: who looked is forgotten each night, only the sums stay. */
export const viewMigrations: readonly Migration[] = [
  {
    id: "2026-11-21-views",
    sql: `
      create table report_views (
        report_id uuid primary key,
        views bigint not null
      );
      create table seen (
        day date not null,
        report_id uuid not null,
        -- HMAC of the visitor's address under the day's key
        visitor bytea not null,
        primary key (day, report_id, visitor)
      );
      create table day_key (
        day date primary key,
        key bytea not null
      );
    `,
  },
];

interface View {
  readonly day: string;
  readonly reportId: string;
  readonly visitor: Buffer;
}

/** Views that wait are written when this many are there, or after the delay. */
const BATCH = 500;
const DELAY_MS = 500;

/** Counts a report's views: once per visitor, report and day (UTC), in batches. */
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

  /** @param now RFC 3339 time of the view. */
  async record(reportId: string, address: string, now: string): Promise<void> {
    const day = now.slice(0, 10);
    const key = await this.#dayKey(day);
    const visitor = createHmac("sha256", key).update(address).digest();
    this.#waiting.push({ day, reportId, visitor });
    if (this.#waiting.length >= BATCH) this.#flushSoon(0);
    else this.#flushSoon(DELAY_MS);
  }

  /** Writes what waits. Resolves when everything recorded so far is stored. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  /** Throws away the keys and marks of former days. */
  async forgetFormerDays(now: string): Promise<void> {
    const today = now.slice(0, 10);
    if (this.#key && this.#key.day !== today) this.#key = undefined;
    await this.#pool.query("delete from views.day_key where day < $1", [today]);
    await this.#pool.query("delete from views.seen where day < $1", [today]);
  }

  /** Forgets a deleted report's count. */
  async forget(reportId: string): Promise<void> {
    await this.#pool.query("delete from views.report_views where report_id = $1", [reportId]);
    await this.#pool.query("delete from views.seen where report_id = $1", [reportId]);
  }

  #flushSoon(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.flush().catch(this.#onError);
    }, ms).unref();
  }

  async #write(): Promise<void> {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    await this.#pool.query(
      `with fresh as (
         insert into views.seen (day, report_id, visitor)
         select * from unnest($1::date[], $2::uuid[], $3::bytea[])
         on conflict do nothing
         returning report_id
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

  /** The day's key, made by whichever process needs it first. */
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
