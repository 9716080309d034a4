import { createHash } from "node:crypto";
import type pg from "pg";
import { DatabaseClient, type DatabaseClientConfig } from "./database-client.ts";

/**
 * A connection on which PostgreSQL parses each statement with parameters only once and may keep its
 * plan. It is for connections that repeat a few statements with constant texts.
 *
 * Plans are kept while tables grow, the first ones from when tables are empty. So sequential scans
 * are disabled, except for statements that have no other way.
 *
 * It needs the server itself, or a pooler that keeps sessions or supports prepared statements.
 */
export class PreparingClient extends DatabaseClient {
  constructor(config?: string | DatabaseClientConfig) {
    super(config);
    this.settings = [...this.settings, "set enable_seqscan = off"];
  }

  override query(...args: unknown[]): never {
    return super.query(...named(args));
  }
}

function named([statement, ...others]: unknown[]): unknown[] {
  const [values, ...rest] = others;
  if (typeof statement === "string") {
    if (!Array.isArray(values)) return [statement, ...others];
    return [{ name: nameOf(statement), text: statement, values }, ...rest];
  }
  if (!isConfig(statement)) return [statement, ...others];
  return [{ ...statement, name: nameOf(statement.text) }, ...others];
}

/** Whether it is a statement with values and without a name, and does not submit itself. */
function isConfig(statement: unknown): statement is pg.QueryConfig {
  if (typeof statement !== "object" || statement === null || "submit" in statement) return false;
  const { text, values, name } = statement as Partial<pg.QueryConfig>;
  return typeof text === "string" && Array.isArray(values) && name === undefined;
}

const names = new Map<string, string>();

/** PostgreSQL truncates names at 63 bytes. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}
