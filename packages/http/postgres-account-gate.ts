import type { Pool } from "pg";
import { type AccountGate, PROOF_SECONDS } from "./auth.ts";

/** Milliseconds after which a request is refused instead of waiting for the database. */
const TIME_LIMIT = 3000;

/**
 * Reads `command.account` and `command.session` (#command-tables) on every request: one look-up by
 * two primary keys. An account may act while its status is `active`.
 * @param options.staffSecondFactor whether staff need a second factor. Only command-api may ask: others
 *   may not read whether accounts have one.
 */
export function createPostgresAccountGate(
  pool: Pool,
  options: { readonly staffSecondFactor?: "on" | "off" } = {},
): AccountGate {
  const needsFactor =
    options.staffSecondFactor === "on" ? "a.role <> 'user' and a.factor_id is null" : "false";
  return {
    async check(userId, tokenVersion, sessionId) {
      const query = {
        name: "account-gate",
        text: `select a.role, a.status, ${needsFactor} as needs_factor,
                 coalesce(s.proved_at > now() - interval '${PROOF_SECONDS} seconds', false) as proved
               from command.account a join command.session s on s.account_id = a.id
               where a.id = $1::uuid and a.token_version = $2::int
                 and s.id = $3::uuid and s.ended_at is null and s.expires_at > now()`,
        values: [userId, tokenVersion, sessionId],
        query_timeout: TIME_LIMIT,
      };
      const { rows } = await pool.query<{
        role: "user" | "admin" | "auditor";
        status: string;
        proved: boolean;
        needs_factor: boolean;
      }>(query);
      const [account] = rows;
      if (!account) return null;
      const { role, status, proved, needs_factor } = account;
      return {
        role,
        active: status === "active",
        proved,
        ...(needs_factor ? { needsFactor: true } : {}),
      };
    },
  };
}
