import type { Pool } from "pg";
import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { DELETIONS_MS, MAX_DELETIONS } from "#contracts/report/reporter-rules.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventMetadata } from "#event-store/port.ts";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { maySharePerson } from "../account/role-grants.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reportAggregate } from "./report.aggregate.ts";
import type { DeletionContext } from "./report.deletion.ts";

interface Counted {
  readonly accountId: string;
  readonly id: string;
  readonly now: string;
  readonly waits: boolean;
  readonly most: number;
}

/** Counts an account's deletions within the hour, across all processes. */
export class DeletionQuota {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Counts a deletion before it happens; idempotent. @param now RFC 3339, UTC. @returns whether it may happen. */
  take(accountId: string, id: string, now: string): Promise<boolean> {
    return this.#add({ accountId, id, now, waits: false, most: MAX_DELETIONS });
  }

  /** Whether to email admins about a deletion that needs approval: only the account's first one within the hour. */
  shouldNotify(accountId: string, id: string, now: string): Promise<boolean> {
    return this.#add({ accountId, id, now, waits: true, most: 1 });
  }

  /** @returns whether it is within the limit for the hour. */
  #add({ accountId, id, now, waits, most }: Counted): Promise<boolean> {
    return inTransaction(this.#pool, async (client) => {
      // Serialize, or two concurrent deletions would both count as the last one.
      await lockUntilCommit(client, `deletion ${accountId}`);
      const since = new Date(Date.parse(now) - DELETIONS_MS);
      await client.query("delete from command.deletion where deleted_at <= $1", [since]);
      const { rows } = await client.query<{ deleted_id: string }>(
        "select deleted_id from command.deletion where account_id = $1 and waits = $2",
        [accountId, waits],
      );
      if (rows.some(({ deleted_id }) => deleted_id === id)) return true;
      if (rows.length >= most) return false;
      await client.query("insert into command.deletion values ($1, $2, $3, $4)", [
        accountId,
        id,
        waits,
        now,
      ]);
      return true;
    });
  }

  /**
   * Like {@link take}, for irreversible deletions without a second admin.
   * @throws {DomainError} `too_many_requests`
   */
  async require(accountId: string, id: string, now: string): Promise<void> {
    if (await this.take(accountId, id, now)) return;
    throw new DomainError(
      "too_many_requests",
      `You deleted ${MAX_DELETIONS} reports, files, users or notices within an hour. Nothing was deleted. Try again in an hour, or ask another admin.`,
    );
  }
}

const HOUR_MS = 3_600_000;

export interface DeletionContextDeps {
  readonly handler: Pick<CommandHandler, "history" | "lastOf">;
  readonly quota: Pick<DeletionQuota, "take" | "shouldNotify">;
  readonly settings: () => Settings;
  /** Account IDs of the active admins. */
  readonly admins: () => Promise<readonly string[]>;
}

/** Determines whether the caller may delete the report, alone or as the second admin. */
export async function readDeletionContext(
  id: string,
  state: ReportState,
  { actor, now }: Caller,
  { handler, quota, settings, admins }: DeletionContextDeps,
): Promise<DeletionContext> {
  const eraseAt = new Date(Date.parse(now) + settings().eraseHours * HOUR_MS).toISOString();
  const first = await askedBy(id, state, handler);
  const isSecond =
    first !== undefined && !(await maySharePerson(first.actor.id, actor.id, now, handler));
  if (isSecond || state.deletion) return { eraseAt, isSecond, mayDeleteAlone: false, told: [] };
  const all = await admins();
  // The request waits for another admin. Without one, it waits until the deletion window has passed.
  const isWaiting =
    first !== undefined &&
    (all.some((each) => each !== actor.id) ||
      Date.parse(now) - Date.parse(first.time) < DELETIONS_MS);
  const mayDeleteAlone = !isWaiting && (await quota.take(actor.id, id, now));
  // At most one email an hour per account, which may send any number of deletions.
  const isTold =
    first === undefined && !mayDeleteAlone && (await quota.shouldNotify(actor.id, id, now));
  return { eraseAt, isSecond, mayDeleteAlone, told: isTold ? all : [] };
}

async function askedBy(
  id: string,
  { deletion, deletion_requested }: ReportState,
  handler: Pick<CommandHandler, "lastOf">,
): Promise<Pick<EventMetadata, "actor" | "time"> | undefined> {
  if (!deletion && deletion_requested === null) return undefined;
  const type = deletion ? "ReportDeleted" : "ReportDeletionRequested";
  return (await handler.lastOf(reportAggregate(id), type))?.metadata;
}
