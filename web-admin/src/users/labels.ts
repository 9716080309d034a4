import { USER_ROLES, USER_STATUSES } from "#contracts/account/account-messages.ts";
import { type ListedUser, USER_COMMANDS, type UserCommandName } from "#contracts/http/users.ts";
import { messageOf, statusOf } from "../data/api-error.ts";
import { formatInstant } from "../shared/formats.ts";

/** Returns e.g. "Dana Ruiz". An account may have no name, e.g. after a confirmation that dropped it. */
export function userName({ first_name, last_name }: Pick<ListedUser, "first_name" | "last_name">) {
  return `${first_name} ${last_name}`.trim() || "No name";
}

/** Returns e.g. "Banned until May 2, 2026, 2:05:09 PM EST". */
export function statusText({ status, banned_until }: ListedUser): string {
  const until = status === "banned" && banned_until;
  return until ? `Banned until ${formatInstant(until)}` : USER_STATUSES[status];
}

/** Describes each difference between two states of an account; empty if there are none. */
export function differences(before: ListedUser, now: ListedUser): readonly string[] {
  const rows = [
    ["First name", before.first_name, now.first_name],
    ["Last name", before.last_name, now.last_name],
    ["Email", before.email, now.email],
    ["Role", USER_ROLES[before.role], USER_ROLES[now.role]],
    ["Status", statusText(before), statusText(now)],
  ] as const;
  return rows.flatMap(([label, was, is]) =>
    was === is ? [] : [`${label}: ${was || "not given"}, now ${is || "not given"}`],
  );
}

/** Commands of staff about accounts. */
export type UserAction = UserCommandName | "factor";

/** Returns where a command is sent, under the admin routes. @param id absent for a new account. */
export function addressOf(action: UserAction, id = "") {
  const { method, path } =
    action === "factor"
      ? ({ method: "POST", path: "/:id/two-factor/reset" } as const)
      : USER_COMMANDS[action];
  return { method, path: `/users${path.replace(":id", encodeURIComponent(id))}` };
}

const FAILED: Readonly<Record<UserAction, string>> = {
  invite: "Failed to add user",
  edit: "Failed to update user",
  delete: "Failed to delete user",
  ban: "Failed to ban user",
  unban: "Failed to unban user",
  reopen: "Failed to reopen the account",
  role: "Failed to change the role",
  factor: "Failed to reset the second factor",
};

/** Returns the error message for a failed command: the server's reason, otherwise its status. */
export function failureSentence(action: UserAction, error: unknown): string {
  return `${FAILED[action]}: ${messageOf(error, statusOf(error) ?? "Unknown error occurred")}`;
}

const DAY_MS = 24 * 3_600_000;

/** Durations of a ban, as offered in its dialog. */
export const BAN_ENDS = {
  "7": "7 days",
  "30": "30 days",
  "90": "90 days",
  date: "Until a date",
  never: "No end date",
} as const;
export type BanEnd = keyof typeof BAN_ENDS;

/**
 * Returns when a ban ends; undefined if it never ends.
 * @param date last day of the ban in the reader's time zone: `YYYY-MM-DD`.
 */
export function banUntil(end: BanEnd, date: string, now: Date): string | undefined {
  if (end === "never") return undefined;
  if (end !== "date") return new Date(now.getTime() + Number(end) * DAY_MS).toISOString();
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day + 1).toISOString();
}
