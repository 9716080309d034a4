import type { DeletionReason } from "./words.ts";

/** Hours between a deletion and the erasure that follows, unless a setting says otherwise. */
export const ERASE_HOURS = { default: 24, least: 1, most: 168 } as const;

/** Deletions by one account within an hour that need no second admin. */
export const MOST_DELETIONS = 20;

/** Over how long they are counted; and how long a deletion waits where there is no second admin. */
export const DELETIONS_MS = 3_600_000;

/** Bulk decisions of more reports than this need a recent password. */
export const MOST_UNPROVED = 10;

/** Reasons for which a second admin's deletion erases at once. */
const AT_ONCE: readonly string[] = ["court_order", "subject_request"] satisfies DeletionReason[];

/** Whether a second admin's deletion for this reason erases the report at once. */
export function isAtOnce(reason: string): boolean {
  return AT_ONCE.includes(reason);
}
