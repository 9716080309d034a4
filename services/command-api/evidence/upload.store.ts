import type { Pool, PoolClient } from "pg";
import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { hashOfSecret, isSecretOf, newSecret } from "../kernel/secrets.ts";
import type { NamedFile, StoredUpload } from "./named-file.ts";

const MIB = 1024 * 1024;
/** Limits for files not attached to a report, in bytes: per network, per wide network (/16 or /48), and in total. */
export const NETWORK_BYTES = 100 * MIB;
export const WIDE_BYTES = 512 * MIB;
export const ALL_BYTES = 2048 * MIB;
/** Limits for the number of files not attached to a report. */
export const NETWORK_FILES = 200;
export const WIDE_FILES = 2000;
export const ALL_FILES = 20_000;

const BATCH = 200;

/** An upload row that is locked while a report claims it. */
export interface LockedUpload extends StoredUpload {
  readonly id: string;
  readonly secretHash: string;
  readonly reportId: string | null;
}

export class UploadStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Adds a row before its bytes; evicts the largest network's oldest files.
   * @returns their IDs, or which limit was hit.
   */
  async reserve(upload: {
    readonly id: string;
    readonly secretHash: string;
    readonly network: string;
    readonly wideNetwork: string;
    readonly bytes: number;
    readonly now: string;
  }): Promise<{ readonly full: "network" | "all" } | { readonly gaveWay: readonly string[] }> {
    const { id, secretHash, network, wideNetwork, bytes, now } = upload;
    return inTransaction(this.#pool, async (client) => {
      // Serialize, or two concurrent uploads could both take the last place.
      await lockUntilCommit(client, "upload:reserve");
      const { rows } = await client.query<
        Record<"own" | "own_bytes" | "wide" | "wide_bytes" | "all" | "all_bytes", string>
      >(
        `select count(*) as all, coalesce(sum(bytes), 0) as all_bytes,
           count(*) filter (where network = $1) as own,
           coalesce(sum(bytes) filter (where network = $1), 0) as own_bytes,
           count(*) filter (where wide_network = $2) as wide,
           coalesce(sum(bytes) filter (where wide_network = $2), 0) as wide_bytes
         from command.upload where report_id is null and removed_at is null`,
        [network, wideNetwork],
      );
      const [waiting] = rows;
      if (!waiting) throw new Error("a sum without a row");
      if (Number(waiting.own_bytes) + bytes > NETWORK_BYTES || Number(waiting.own) >= NETWORK_FILES)
        return { full: "network" };
      if (Number(waiting.wide_bytes) + bytes > WIDE_BYTES || Number(waiting.wide) >= WIDE_FILES)
        return { full: "network" };
      const gaveWay: string[] = [];
      let room = ALL_BYTES - Number(waiting.all_bytes) - bytes;
      let places = ALL_FILES - Number(waiting.all) - 1;
      while (room < 0 || places < 0) {
        const freed = await giveWay(client, now);
        if (!freed) break;
        gaveWay.push(freed.id);
        room += freed.bytes;
        places += 1;
      }
      const fits = room >= 0 && places >= 0;
      if (fits)
        await client.query(
          `insert into command.upload (id, secret_hash, network, wide_network, bytes, created_at)
           values ($1, $2, $3, $4, $5, $6)`,
          [id, secretHash, network, wideNetwork, bytes, now],
        );
      return fits ? { gaveWay } : { full: "all" };
    });
  }

  /** Whether the space for unattached files is at least half full. */
  async isHalfFull(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ half: boolean }>(
      `select coalesce(sum(bytes), 0) >= $1 or count(*) >= $2 as half
       from command.upload where report_id is null and removed_at is null`,
      [ALL_BYTES / 2, ALL_FILES / 2],
    );
    return rows[0]?.half ?? false;
  }

  /** Adds the row of a copy of a report's file. Its secret is random and discarded. */
  async addCopy(copy: {
    readonly id: string;
    readonly reportId: string;
    readonly bytes: number;
    readonly now: string;
  }): Promise<void> {
    const { id, reportId, bytes, now } = copy;
    await this.#pool.query(
      `insert into command.upload (id, secret_hash, bytes, created_at, report_id, claimed_at)
       values ($1, $2, $3, $5, $4, $5)`,
      [id, hashOfSecret(newSecret()), bytes, reportId, now],
    );
  }

  /** @returns false if the row was removed in the meantime. */
  async complete(id: string, { type, bytes, sha256 }: StoredUpload): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `update command.upload set type = $2, bytes = $3, sha256 = $4
       where id = $1 and removed_at is null`,
      [id, type, bytes, sha256],
    );
    return rowCount === 1;
  }

  /** Attaches stored files to a report, all or none. @param check receives the locked rows and may throw. */
  async claim<T>(
    ids: readonly string[],
    reportId: string,
    now: string,
    check: (rows: ReadonlyMap<string, LockedUpload>) => T,
  ): Promise<T> {
    return inTransaction(this.#pool, async (client) => {
      const { rows } = await client.query<LockedUpload>(
        `select id, secret_hash as "secretHash", type, bytes, sha256, report_id as "reportId"
         from command.upload
         where id = any($1::uuid[]) and type is not null and removed_at is null
         order by id for update`,
        [ids],
      );
      const checked = check(new Map(rows.map((row) => [row.id, row])));
      await client.query(
        `update command.upload
         set report_id = $2, claimed_at = $3, network = null, wide_network = null
         where id = any($1::uuid[]) and report_id is null`,
        [ids, reportId, now],
      );
      return checked;
    });
  }

  /** Secret hash and report of an upload; undefined if there is none. */
  async find(id: string): Promise<{ secretHash: string; reportId: string | null } | undefined> {
    const { rows } = await this.#pool.query<{ secretHash: string; reportId: string | null }>(
      `select secret_hash as "secretHash", report_id as "reportId" from command.upload
       where id = $1 and removed_at is null`,
      [id],
    );
    return rows[0];
  }

  /** Starts the removal of an unattached file. @returns whether it started. */
  async removeFree(id: string, now: string): Promise<boolean> {
    const removed = await this.#remove("report_id is null and id = $2", now, id);
    return removed.length === 1;
  }

  /** Starts the removal of every unattached file with this secret. @returns their IDs. */
  removeFreeOf(secretHash: string, now: string): Promise<string[]> {
    return this.#remove("report_id is null and secret_hash = $2", now, secretHash);
  }

  /** Starts the removal of files, attached or not. */
  async remove(ids: readonly string[], now: string): Promise<void> {
    await this.#remove("id = any($2::uuid[])", now, ids);
  }

  /** Starts the removal of all files of these reports. */
  async removeOf(reports: readonly string[], now: string): Promise<void> {
    await this.#remove("report_id = any($2::uuid[])", now, reports);
  }

  /** Starts the removal of old unattached files and incomplete uploads. */
  async removeStale(before: { readonly unnamed: Date; readonly partial: Date }, now: string) {
    const isStale = "created_at < $2 or (type is null and created_at < $3)";
    await this.#remove(`report_id is null and (${isStale})`, now, before.unnamed, before.partial);
  }

  async #remove(condition: string, now: string, ...values: readonly unknown[]): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `update command.upload set removed_at = $1
       where removed_at is null and ${condition} returning id`,
      [now, ...values],
    );
    return rows.map(({ id }) => id);
  }

  /** Reports that claimed files before this time, with those files that the log hasn't been seen to name. */
  async claimsBefore(time: Date): Promise<readonly { reportId: string; ids: string[] }[]> {
    const { rows } = await this.#pool.query<{ reportId: string; ids: string[] }>(
      `select report_id as "reportId", array_agg(id::text) as ids from command.upload
       where report_id is not null and not named and claimed_at < $1 and removed_at is null
       group by report_id limit ${BATCH}`,
      [time],
    );
    return rows;
  }

  async setNamed(ids: readonly string[]): Promise<void> {
    await this.#pool.query("update command.upload set named = true where id = any($1::uuid[])", [
      ids,
    ]);
  }

  /** One batch of the files being removed. */
  async beingRemoved(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from command.upload where removed_at is not null
       order by removed_at limit ${BATCH}`,
    );
    return rows.map(({ id }) => id);
  }

  async forget(ids: readonly string[]): Promise<void> {
    await this.#pool.query(
      "delete from command.upload where id = any($1::uuid[]) and removed_at is not null",
      [ids],
    );
  }
}

/** Evicts the oldest complete, unattached file of the largest network within the largest wide network. */
async function giveWay(
  client: PoolClient,
  now: string,
): Promise<{ id: string; bytes: number } | undefined> {
  const { rows } = await client.query<{ id: string; bytes: number }>(
    `with taken as (
       select id, created_at, type,
         greatest(sum(bytes) over wide / $2::float8, count(*) over wide / $3::float8) as wide_share,
         greatest(sum(bytes) over own / $2::float8, count(*) over own / $3::float8) as own_share
       from command.upload where report_id is null and removed_at is null
       window wide as (partition by coalesce(wide_network, network)), own as (partition by network)
     )
     update command.upload set removed_at = $1 where id = (
       select upload.id from command.upload join taken using (id)
       where taken.type is not null and report_id is null and removed_at is null
       order by wide_share desc, own_share desc, taken.created_at, upload.id
       limit 1 for update of upload skip locked
     ) returning id, bytes`,
    [now, ALL_BYTES, ALL_FILES],
  );
  return rows[0];
}

/** Attaches uploads to reports. */
export class UploadClaims {
  readonly #uploads: Pick<UploadStore, "claim">;

  constructor(uploads: Pick<UploadStore, "claim">) {
    this.#uploads = uploads;
  }

  /**
   * Claims all of the files for the report, or none. Idempotent for the same report. An unknown ID and a wrong
   * secret get the same error.
   * @param field request field that names the files; errors about list items append their index.
   * @throws {DomainError} `invalid_request`, with a message per file; `upload_used`.
   */
  async claim(
    reportId: string,
    named: readonly NamedUpload[],
    now: string,
    field = "evidence",
  ): Promise<readonly NamedFile[]> {
    const ids = named.map(({ id }) => id);
    if (new Set(ids).size < ids.length)
      throw refusalOf({ [field]: "The same file is listed twice" });
    return this.#uploads.claim(ids, reportId, now, (rows) => filesOf(named, rows, reportId, field));
  }
}

function filesOf(
  named: readonly NamedUpload[],
  rows: ReadonlyMap<string, LockedUpload>,
  reportId: string,
  field: string,
): NamedFile[] {
  const missing: Record<string, string> = {};
  const used: Record<string, string> = {};
  const files: NamedFile[] = [];
  for (const [index, { id, secret, name }] of named.entries()) {
    const row = rows.get(id);
    const path = named.length === 1 && field !== "evidence" ? field : `${field}.${index}`;
    if (!isSecretOf(row?.secretHash, secret) || !row)
      missing[path] = "This file is no longer here. Please remove it and add it again";
    else if (row.reportId !== null && row.reportId !== reportId)
      used[path] = "This file belongs to another report. Please remove it and add it again";
    else {
      const { type, bytes, sha256 } = row;
      files.push({ id, name, type, bytes, sha256 });
    }
  }
  if (Object.keys(missing).length > 0) throw refusalOf({ ...missing, ...used });
  const [first] = Object.values(used);
  if (first) throw new DomainError("upload_used", `${first}.`, used);
  return files;
}
