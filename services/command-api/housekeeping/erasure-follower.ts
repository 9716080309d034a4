import type { PoolClient } from "pg";
import { CONTENT_END } from "#contracts/events/content.ts";
import { INQUIRY_ENDS, inquiryOf } from "#contracts/events/inquiry/inquiry-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { subjects } from "#contracts/sealed.ts";
import {
  type EventFilter,
  type EventStore,
  type Position,
  START,
  type StoredEvent,
} from "#event-store/port.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import type { Dependencies } from "../dependencies.ts";
import type { UploadRemoval } from "../evidence/upload-removal.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { HIDINGS, type HidingRecord } from "../report/hiding-record.ts";
import type { ViewCounter } from "../views/view-counter.ts";

type Deps = Pick<Dependencies, "store" | "keys" | "eraser" | "credentials" | "inquiries"> & {
  readonly views: Pick<ViewCounter, "forget">;
  readonly removal: Pick<UploadRemoval, "erase" | "eraseOf">;
  readonly hidings: Pick<HidingRecord, "complete">;
};

const BATCH = 500;
/** Staff decisions that an older copy of the database lacks. */
const DECISIONS = [
  "AccountRoleChanged",
  "AccountBanned",
  "AccountUnbanned",
  "AccountClosed",
  "AccountReopened",
];
const FOLLOWED = {
  types: [
    "ReportErased",
    ...HIDINGS,
    CONTENT_END,
    "EvidenceErased",
    "ReportClaimed",
    "ReportDisowned",
    "EmailConfirmed",
    "EmailChangeUndone",
    "InquiryReceived",
    "NoticeReceived",
    ...INQUIRY_ENDS,
    ...ACCOUNT_ENDS,
    ...DECISIONS,
  ],
};

/**
 * Completes what a killed process left unfinished on the command side: deletions, erasures, claims of reports,
 * and confirmations or undone address changes that remove earlier reports from an account. The first run starts
 * at the beginning of the log, so that restoring an older database revives no erased data and restores no revoked
 * role.
 *
 * Each event is handled in two runs, because another process may still write buffered views after the first.
 */
export class ErasureFollower extends Service<Deps> {
  #before: Position = START;
  #seen: Position = START;
  /** @param now RFC 3339 time of the run. */
  async run(now: string): Promise<void> {
    const { store, keys, eraser, credentials } = this.deps;
    let last = this.#seen;
    const deleted: string[] = [];
    const files: string[] = [];
    const decided = new Set<string>();
    const hidings: StoredEvent[] = [];
    for await (const event of store.readAll(this.#before, FOLLOWED)) {
      const { stream, type, position, data } = event;
      const id = stream.slice(stream.indexOf("-") + 1);
      if (HIDINGS.includes(type)) hidings.push(event);
      if (type === "AccountErased") await eraser.finish(id, systemCaller(now));
      else if (ACCOUNT_ENDS.includes(type)) await eraser.abandon(id, now);
      else if (DECISIONS.includes(type)) decided.add(id);
      else if (inquiryOf(stream)) await this.#inquiry(event, id, now);
      // The shredder destroys its key; only the views are stored here.
      else if (type === "ReportErased" || type === CONTENT_END) deleted.push(id);
      else if (type === "ReportClaimed")
        await keys.own((data as { account_id: string }).account_id, [subjects.reporter(id)]);
      else if (type === "ReportDisowned")
        await keys.disown((data as { account_id: string }).account_id, [subjects.reporter(id)]);
      else if (type === "EmailChangeUndone") await eraser.disownUndone(id, systemCaller(now));
      else if (type === "EvidenceErased") files.push((data as { file_id: string }).file_id);
      else if ((data as { dropped?: boolean }).dropped) await eraser.disown(id, position);
      if (deleted.length + files.length >= BATCH)
        await this.#forget(deleted.splice(0), files.splice(0), now);
      last = position;
    }
    await this.#forget(deleted, files, now);
    await this.deps.hidings.complete(hidings);
    for (const id of decided) await credentials.align(id);
    this.#before = this.#seen;
    this.#seen = last;
  }

  /** An older copy of the database may lack its row; after an erasure, its key and row may be left. */
  async #inquiry({ stream, type, metadata }: StoredEvent, id: string, now: string): Promise<void> {
    const { inquiries } = this.deps;
    const family = stream.startsWith("notice-") ? "notice" : "inquiry";
    if (INQUIRY_ENDS.includes(type as (typeof INQUIRY_ENDS)[number]))
      await inquiries.finishErasure(id, now);
    else await inquiries.recover({ id, family }, metadata.time);
  }

  async #forget(reports: readonly string[], files: readonly string[], now: string): Promise<void> {
    const { views, removal } = this.deps;
    await views.forget(reports);
    await removal.erase(files, now);
    await removal.eraseOf(reports, now);
  }
}

type FollowedLogDeps = Pick<Dependencies, "pool" | "epoch"> & {
  readonly store: Pick<EventStore, "readAll" | "head">;
  /** Position table: one row with `single`, `position` and `epoch`. */
  readonly table: `command.${string}_position`;
  readonly filter: EventFilter;
  /** Processes events, in the transaction that advances the position. */
  readonly note: (client: PoolClient, batch: readonly StoredEvent[]) => Promise<void>;
  /** Clears data from a log of another epoch, in the transaction that resets the position. */
  readonly restart?: (client: PoolClient) => Promise<void>;
};

/** Updates tables from the log, each event exactly once across all processes, from a stored position. */
export class FollowedLog extends Service<FollowedLogDeps> {
  /**
   * Reads on from the position.
   * @param most batches of 500 events; unlimited if absent.
   * @returns whether it reached the log's end.
   */
  async follow(most = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { store, filter } = this.deps;
    for (let batches = 0; batches < most; batches += 1) {
      const from = await this.#position();
      // Read the head first: events appended in the meantime come after it and are read next time.
      const head = await store.head();
      const batch: StoredEvent[] = [];
      for await (const event of store.readAll(from, filter, { limit: BATCH })) batch.push(event);
      const last = batch.at(-1);
      if (!last) {
        // Advance the position even without matches; a store that filters client-side would otherwise rescan the
        // log.
        if (head > from) await this.#take([], from, head);
        return true;
      }
      // If another process has advanced the position in the meantime, continue from there.
      await this.#take(batch, from, last.position);
    }
    return false;
  }

  /** Position to read from: the start if the log has another epoch. */
  async #position(): Promise<Position> {
    const { pool, epoch, table, restart } = this.deps;
    const { rows } = await pool.query<{ position: string }>(
      `select position from ${table} where epoch = $1`,
      [epoch],
    );
    if (rows[0]) return rows[0].position;
    return inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `insert into ${table} as p (position, epoch) values ($1, $2)
         on conflict (single) do update set position = excluded.position, epoch = excluded.epoch
         where p.epoch <> excluded.epoch`,
        [START, epoch],
      );
      if (rowCount === 1) await restart?.(client);
      return START;
    });
  }

  async #take(batch: readonly StoredEvent[], from: Position, to: Position): Promise<void> {
    const { pool, epoch, table, note } = this.deps;
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `update ${table} set position = $1 where position = $2 and epoch = $3`,
        [to, from, epoch],
      );
      if (rowCount === 1 && batch.length > 0) await note(client, batch);
    });
  }
}
