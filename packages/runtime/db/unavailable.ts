import { DatabaseError } from "pg";

/** SQLSTATE classes that mean "not now": connection, resources, operator, system, read-only. */
const AWAY = /^(08|53|57|58)/;
const NETWORK =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)$/;
/** Messages of `pg` and `pg-pool` for a connection that does not exist, or no longer does. */
const CLIENT =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after|timeout expired)/;

/** A queue in front of a database is full: the call was not made. */
export class DatabaseBusy extends Error {
  override readonly name = "DatabaseBusy";
}

/** Whether an error means that the database is out of reach, rather than that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseBusy) return true;
  const { code } = error as { code?: unknown };
  if (error instanceof DatabaseError) return AWAY.test(error.code ?? "");
  if (typeof code === "string" && NETWORK.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  return CLIENT.test(error.message);
}
