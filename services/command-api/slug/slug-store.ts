import type { Pool } from "pg";
import { Coalescer } from "#kit/db/coalescer.ts";
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

/**
 * Takes numbers for many claims at once. Claims of one base get consecutive ones; counters are
 * locked in the order of their hashes, so that processes do not wait for each other in a circle.
 */
const TAKE = `
  with given as (
    select * from unnest($1::text[], $2::uuid[], $3::text[], $4::timestamptz[])
      with ordinality as c (base_hash, report_id, command_id, taken_at, place)
  ), mine as (
    select given.place, s.number from given
    join command.slug s using (report_id, command_id, base_hash)
  ), fresh as (
    select *, row_number() over (partition by base_hash order by place) as nth
    from given where not exists (select from mine where mine.place = given.place)
  ), counted as (
    insert into command.slug_base as b (base_hash, last_number)
    select base_hash, count(*) from fresh group by base_hash order by base_hash
    on conflict (base_hash) do update set last_number = b.last_number + excluded.last_number
    returning base_hash, last_number
  ), numbered as (
    select fresh.*, c.last_number - count(*) over (partition by base_hash) + nth as number
    from fresh join counted c using (base_hash)
  ), taken as (
    insert into command.slug (report_id, command_id, base_hash, number, taken_at)
    select report_id, command_id, base_hash, number, taken_at from numbered order by place
    on conflict (report_id, command_id, base_hash) do nothing
    returning report_id, command_id, base_hash, number
  )
  select place::int, number from mine
  union all
  select numbered.place::int, numbered.number::int from numbered
  join taken using (report_id, command_id, base_hash, number)`;

export interface TakenSlug {
  readonly slug: string;
  readonly hash: string;
}

/** Nobody waits for it to be noted that a claim was used. */
const CONFIRM_PAUSE_MS = 100;

/** Who takes a slug, and for which name. */
interface Claim {
  readonly base: string;
  readonly baseHash: string;
  readonly reportId: string;
  readonly commandId: string;
  readonly now: string;
}

/** Gives out the addresses of public pages, each once, for ever. */
export class SlugStore {
  readonly #pool: Pool;
  readonly #key: Buffer;
  readonly #takes = new Coalescer((claims: readonly Claim[]) => this.#takeAll(claims));
  readonly #confirms = new Coalescer(
    (claims: readonly (readonly [string, string])[]) => this.#confirmAll(claims),
    { pauseMs: CONFIRM_PAUSE_MS },
  );

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
    const wanted: Claim = { ...claim, base, baseHash: slugHash(this.#key, base) };
    let number = await this.#takes.add(wanted);
    // Two retries at once: the other one's row is there by now.
    while (number === undefined) number = await this.#takes.add(wanted);
    const slug = numbered(base, number);
    return { slug, hash: slugHash(this.#key, slug) };
  }

  /** @returns a number a claim; none for the second of two equal ones that were taken at once. */
  async #takeAll(claims: readonly Claim[]): Promise<(number | undefined)[]> {
    const { rows } = await this.#pool.query<{ place: number; number: number }>(TAKE, [
      claims.map(({ baseHash }) => baseHash),
      claims.map(({ reportId }) => reportId),
      claims.map(({ commandId }) => commandId),
      claims.map(({ now }) => now),
    ]);
    const numbers = new Map(rows.map(({ place, number }) => [place, number]));
    return claims.map((_, i) => numbers.get(i + 1));
  }

  /**
   * Notes that the claim's event stands in the log, so that no sweep takes it. Nobody waits for
   * it: a sweep asks the log about claims of which it was not noted.
   */
  confirm(reportId: string, commandId: string): void {
    this.#confirms.add([reportId, commandId]).catch(() => undefined);
  }

  /** Resolves when what was confirmed is noted, as far as the database takes it. */
  async settled(): Promise<void> {
    await this.#confirms.drain();
  }

  async #confirmAll(claims: readonly (readonly [string, string])[]): Promise<undefined[]> {
    await this.#pool.query(
      `update command.slug s set appended = true
       from unnest($1::uuid[], $2::text[]) as c (report_id, command_id)
       where s.report_id = c.report_id and s.command_id = c.command_id`,
      [claims.map(([reportId]) => reportId), claims.map(([, commandId]) => commandId)],
    );
    return claims.map(() => undefined);
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
        await this.#confirmAll([[report_id, command_id]]);
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
