import type { Pool } from "pg";
import type { AccountGate } from "../http/auth.ts";

/** Milliseconds after which a request is refused rather than kept waiting for the database. */
const TIME_LIMIT = 3000;

/**
 * Reads `command.account (id uuid, role text, status text, token_version int)` at every request:
 * one look-up by primary key. An account may act while its status is `active`.
 */
export function createPostgresAccountGate(pool: Pool): AccountGate {
  return {
    async check(userId, tokenVersion) {
      const query = {
        name: "account-gate",
        text: `select role, status from command.account
               where id = $1::uuid and token_version = $2::int`,
        values: [userId, tokenVersion],
        query_timeout: TIME_LIMIT,
      };
      const { rows } = await pool.query<{ role: "user" | "admin" | "auditor"; status: string }>(
        query,
      );
      const [account] = rows;
      return account ? { role: account.role, active: account.status === "active" } : null;
    },
  };
}
