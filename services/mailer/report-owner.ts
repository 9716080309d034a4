import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { readAccount } from "./account-history.ts";

/** The account that a report belongs to. */
export interface ReportOwner {
  readonly id: string;
  readonly state: AccountState;
}

/**
 * Whose report it is: that of the account which claimed or submitted it, unless a confirmation dropped
 * what the account did before, or the account is over.
 * @param submitted the report's first event.
 * @param report the report now.
 */
export async function ownerOf(
  submitted: StoredEvent,
  { claimed_by: claimedBy, disowned }: Pick<ReportState, "claimed_by" | "disowned">,
  deps: Parameters<typeof readAccount>[1],
): Promise<ReportOwner | undefined> {
  if (claimedBy) {
    const { state } = await readAccount(claimedBy, deps);
    return state?.profile ? { id: claimedBy, state } : undefined;
  }
  const { id, role } = submitted.metadata.actor;
  if (disowned || role === "visitor" || role === "system") return undefined;
  const { state, ownsAfter } = await readAccount(id, deps);
  if (!state?.profile || submitted.position < ownsAfter) return undefined;
  return { id, state };
}

/**
 * Whether a mail about a decision is wanted, by the report's owner and at its address. An account that
 * waits for a confirmation gets none, but at an address that its report confirmed; one that is closed gets none.
 */
export function wantsDecision(report: ReportState, owner: ReportOwner | undefined): boolean {
  if (!report.notified) return false;
  if (!owner) return true;
  const { closed, confirmed, notifications } = owner.state;
  return !closed && (confirmed || report.address_confirmed) && notifications.decisions;
}

/**
 * What the link of a decision's mail switches off: the setting of the account only where the mail goes
 * to its own confirmed address.
 */
export function scopeOf(reportId: string, to: string, owner: ReportOwner | undefined) {
  const { confirmed, profile } = owner?.state ?? {};
  const isOwners = confirmed && profile?.email.toLowerCase() === to.toLowerCase();
  return owner && isOwners
    ? ({ scope: "decisions", id: owner.id } as const)
    : ({ scope: "report", id: reportId } as const);
}
