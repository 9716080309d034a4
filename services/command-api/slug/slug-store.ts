import type { Pool } from "pg";
import type { Migration } from "#kit/db/migrate.ts";
import { slugHash } from "#kit/sealing/slug-hash.ts";
import { baseSlug, numbered } from "./slug.ts";

/** Tables of the slugs, in the schema `command`. They hold keyed hashes, never a name. */
export const slugMigrations: readonly Migration[] = [
  {
    id: "2026-11-21-slug",
    sql: `
      create table slug_base (
        base_hash text primary key,
        last_number integer not null
      );
      create table slug (
        report_id uuid not null,
        command_id text not null,
        base_hash text not null,
        number integer not null,
        taken_at timestamptz not null,
        appended boolean not null default false,
        -- a command that is decided again may find another name than before
        primary key (report_id, command_id, base_hash)
      );
      create index slug_taken_at on slug (taken_at) where not appended;
    `,
  },
];

export interface TakenSlug {
  readonly slug: string;
  readonly hash: string;
}

/** Gives out the addresses of public pages, each once, for ever. */
export class SlugStore {
  readonly #pool: Pool;
  readonly #key: Buffer;

  /** @param key the service key `slugs`. */
  constructor(pool: Pool, key: Buffer) {
    this.#pool = pool;
    this.#key = key;
  }

  /**
   * Takes the next slug of a name for this command; the same one again when it is retried with the
   * same name. What a command took under a name that it did not keep stays spent.
   */
  async take(
    name: { firstName: string; lastName: string },
    claim: { reportId: string; commandId: string; now: string },
  ): Promise<TakenSlug> {
    const base = baseSlug(name.firstName, name.lastName);
    const { rows } = await this.#pool.query<{ number: number }>(
      `with mine as (
         select number from command.slug
         where report_id = $2 and command_id = $3 and base_hash = $1
       ), counted as (
         insert into command.slug_base as b (base_hash, last_number)
         select $1, 1 where not exists (select from mine)
         on conflict (base_hash) do update set last_number = b.last_number + 1
         returning last_number as number
       ), taken as (
         insert into command.slug (report_id, command_id, base_hash, number, taken_at)
         select $2, $3, $1, number, $4 from counted
         on conflict (report_id, command_id, base_hash) do nothing
         returning number
       )
       select number from mine union all select number from taken`,
      [slugHash(this.#key, base), claim.reportId, claim.commandId, claim.now],
    );
    const number = rows[0]?.number;
    // Two retries at once: the other one's row is there by now.
    if (number === undefined) return this.take(name, claim);
    const slug = numbered(base, number);
    return { slug, hash: slugHash(this.#key, slug) };
  }

  /** Notes that the claim's event stands in the log, so that no sweep takes it. */
  async confirm(reportId: string, commandId: string): Promise<void> {
    await this.#pool.query(
      "update command.slug set appended = true where report_id = $1 and command_id = $2",
      [reportId, commandId],
    );
  }

  /** Forgets a deleted report's claims; the numbers stay spent. */
  async forget(reportId: string): Promise<void> {
    await this.#pool.query("delete from command.slug where report_id = $1", [reportId]);
  }

  /**
   * Removes claims older than `before` whose event never came.
   * @param stored whether an event of that command stands in the report's stream.
   */
  async sweep(
    before: Date,
    stored: (reportId: string, commandId: string) => Promise<boolean>,
  ): Promise<number> {
    const { rows } = await this.#pool.query<{ report_id: string; command_id: string }>(
      "select report_id, command_id from command.slug where not appended and taken_at < $1",
      [before],
    );
    let swept = 0;
    for (const { report_id, command_id } of rows) {
      if (await stored(report_id, command_id)) {
        await this.confirm(report_id, command_id);
        continue;
      }
      const deleted = await this.#pool.query(
        "delete from command.slug where report_id = $1 and command_id = $2 and not appended",
        [report_id, command_id],
      );
      swept += deleted.rowCount ?? 0;
    }
    return swept;
  }
}
