import type { Pool } from "pg";
import { type AccountGate, PROOF_SECONDS } from "./auth.ts";

/** Milliseconds after which a request is refused instead of waiting for the database. */
const TIME_LIMIT = 3000;

/**
 * Reads `command.account` and `command.session` (#command-tables) on every request: one look-up by
 * two primary keys. An account may act while its status is `active`.
 */
export function createPostgresAccountGate(pool: Pool): AccountGate {
  return {
    async check(userId, tokenVersion, sessionId) {
      const query = {
        name: "account-gate",
        text: `select a.role, a.status,
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
      }>(query);
      const [account] = rows;
      if (!account) return null;
      const { role, status, proved } = account;
      return { role, active: status === "active", proved };
    },
  };
}
