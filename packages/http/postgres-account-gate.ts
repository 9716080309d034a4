import type { Pool } from "pg";
import { DEFAULT_SETTINGS } from "#contracts/settings/catalogue.ts";
import { type AccountGate, PROOF_SECONDS } from "./auth.ts";

/** Milliseconds to wait for the database before a request is rejected. */
const TIME_LIMIT = 3000;
/** Seconds within which uses of a session are recorded only once. */
const ACTIVITY_INTERVAL = 15;

/**
 * Reads `command.account` and `command.session` (#command-tables) on every request: one lookup by
 * two primary keys. An account may act while its status is `active`.
 * @param options.staffSecondFactor whether staff need a second factor; off by default.
 * @param options.staffIdleMinutes minutes of inactivity after which staff must sign in again.
 * @param options.notesUse whether a request counts as activity. Requests to command-api do; reads
 * don't, since pages also read on their own, and query-api may not write it.
 */
export function createPostgresAccountGate(
  pool: Pool,
  options: {
    readonly staffSecondFactor?: () => "on" | "off";
    readonly staffIdleMinutes?: () => number;
    readonly recordsActivity?: boolean;
  } = {},
): AccountGate {
  const {
    staffIdleMinutes = () => DEFAULT_SETTINGS.sessionTimeout,
    recordsActivity: notesUse = false,
  } = options;
  const noteUse = async (sessionId: string) => {
    const query = {
      name: "session-use",
      text: "update command.session set active_at = now() where id = $1::uuid and ended_at is null",
      values: [sessionId],
      query_timeout: TIME_LIMIT,
    };
    await pool.query(query);
  };
  const { staffSecondFactor } = options;
  const lacksFactor = staffSecondFactor ? "a.role <> 'user' and a.factor_id is null" : "false";
  return {
    async check(userId, tokenVersion, sessionId) {
      const query = {
        name: "account-gate",
        text: `select a.role, a.status, ${lacksFactor} as lacks_factor,
                 s.active_at < now() - interval '${ACTIVITY_INTERVAL} seconds' as used_again,
                 coalesce(s.proved_at > now() - interval '${PROOF_SECONDS} seconds', false) as proved
               from command.account a join command.session s on s.account_id = a.id
               where a.id = $1::uuid and a.token_version = $2::int
                 and s.id = $3::uuid and s.ended_at is null and s.expires_at > now()
                 and (a.role = 'user' or s.active_at > now() - make_interval(mins => $4::int))`,
        values: [userId, tokenVersion, sessionId, staffIdleMinutes()],
        query_timeout: TIME_LIMIT,
      };
      const { rows } = await pool.query<{
        role: "user" | "admin" | "auditor";
        status: string;
        proved: boolean;
        lacks_factor: boolean;
        used_again: boolean;
      }>(query);
      const [account] = rows;
      if (!account) return null;
      const { role, status, proved, lacks_factor, used_again } = account;
      if (notesUse && used_again && role !== "user") await noteUse(sessionId);
      return {
        role,
        active: status === "active",
        proved,
        ...(lacks_factor ? { lacksFactor: true } : {}),
        ...(lacks_factor && staffSecondFactor?.() === "on" ? { needsFactor: true } : {}),
      };
    },
  };
}
