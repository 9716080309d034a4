import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { DELETIONS_MS } from "#contracts/report/reporter-rules.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventMetadata } from "#event-store/port.ts";
import { maySharePerson } from "../account/role-grants.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { DeletionQuota } from "./deletion-quota.ts";
import { reportAggregate } from "./report.aggregate.ts";
import type { DeletionStanding } from "./report.deletion.ts";

const HOUR_MS = 3_600_000;

export interface DeletionStandingDeps {
  readonly handler: Pick<CommandHandler, "history" | "lastOf">;
  readonly quota: Pick<DeletionQuota, "take" | "isTold">;
  readonly settings: () => Settings;
  /** Accounts of the active admins. */
  readonly admins: () => Promise<readonly string[]>;
}

/** Finds out how a deletion by the caller stands. */
export async function deletionStanding(
  id: string,
  state: ReportState,
  { actor, now }: Caller,
  { handler, quota, settings, admins }: DeletionStandingDeps,
): Promise<DeletionStanding> {
  const eraseAt = new Date(Date.parse(now) + settings().eraseHours * HOUR_MS).toISOString();
  const first = await askedBy(id, state, handler);
  const isSecond =
    first !== undefined && !(await maySharePerson(first.actor.id, actor.id, now, handler));
  if (isSecond || state.deletion) return { eraseAt, isSecond, mayAlone: false, told: [] };
  const all = await admins();
  // The request waits for another admin; where there is none, for as long as deletions are counted.
  const isWaiting =
    first !== undefined &&
    (all.some((each) => each !== actor.id) ||
      Date.parse(now) - Date.parse(first.time) < DELETIONS_MS);
  const mayAlone = !isWaiting && (await quota.take(actor.id, id, now));
  // One email an hour about an account, which may send any number of deletions.
  const isTold = first === undefined && !mayAlone && (await quota.isTold(actor.id, id, now));
  return { eraseAt, isSecond, mayAlone, told: isTold ? all : [] };
}

/** Who deleted the report, or asked for that, and when. */
async function askedBy(
  id: string,
  { deletion, deletion_requested }: ReportState,
  handler: Pick<CommandHandler, "lastOf">,
): Promise<Pick<EventMetadata, "actor" | "time"> | undefined> {
  if (!deletion && deletion_requested === null) return undefined;
  const type = deletion ? "ReportDeleted" : "ReportDeletionRequested";
  return (await handler.lastOf(reportAggregate(id), type))?.metadata;
}
