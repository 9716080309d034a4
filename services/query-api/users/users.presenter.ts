import { given } from "#contracts/given.ts";
import type { ListedUser, UserRecord } from "#contracts/http/users.ts";
import type { UserListRow } from "./users.queries.ts";

/** A row of the admins' list. */
export function presentUser(row: UserListRow): ListedUser {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    role: row.role,
    status: row.status,
    reports_count: row.reports_count,
    created_at: row.created_at.toISOString(),
    reopenable: row.closed_by === "staff" && !row.erase_at,
    waiting: row.closed_by === "owner",
    ...given({
      last_login: row.last_sign_in_at?.toISOString(),
      banned_until: row.ban?.until ?? undefined,
    }),
    revision: row.facts_revision,
  };
}

/** The account as its page shows it. */
export function presentUserRecord(
  row: UserListRow,
  parts: Pick<UserRecord, "sessions" | "failed_sign_ins" | "reports"> & {
    readonly ban: { readonly reason: string; readonly by: string | undefined } | undefined;
  },
): UserRecord {
  const { ban, sessions, failed_sign_ins, reports } = parts;
  return {
    ...presentUser(row),
    ...given({
      phone: row.phone ?? undefined,
      erase_at: row.erase_at?.toISOString(),
      ban:
        row.ban && ban
          ? {
              reason: ban.reason,
              at: row.ban.at,
              ...given({ until: row.ban.until ?? undefined, by: ban.by }),
            }
          : undefined,
    }),
    confirmed: row.confirmed,
    two_factor: row.two_factor,
    sessions,
    failed_sign_ins,
    reports,
  };
}
