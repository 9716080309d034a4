import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { ReadModel, ReadModelDatabase } from "#read-model/database.ts";

/** A node of a query plan in the output of `explain (analyze, format json)`. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A statement that ran, and how many table and index rows it visited. */
export interface StatementCost {
  readonly text: string;
  readonly rows: number;
  /** A line for each step of the plan, such as "Seq Scan on report: 26 rows". */
  readonly plan: readonly string[];
}

/**
 * Runs the work, then each of its statements again with EXPLAIN ANALYZE, with the settings that the work
 * made.
 * @returns how many rows each statement visited, including those it discarded.
 */
export async function costOf(
  pool: pg.Pool,
  work: (db: ReadModelDatabase) => Promise<unknown>,
): Promise<StatementCost[]> {
  const run: { text: string; values: readonly unknown[] }[] = [];
  const db = new Kysely<ReadModel>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void run.push({ text: query.sql, values: query.parameters }),
  });
  await work(db);
  const client = await pool.connect();
  try {
    const costs: StatementCost[] = [];
    await client.query("begin");
    for (const { text, values } of run) {
      if (/^\s*set /.test(text)) await client.query(text);
      if (!/^\s*(select|with) /.test(text)) continue;
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      const plan: PlanNode = rows[0]["QUERY PLAN"][0].Plan;
      costs.push({ text, rows: rowsOf(plan), plan: linesOf(plan) });
    }
    return costs;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

function rowsOf(node: PlanNode): number {
  const removed =
    (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const own =
    node["Relation Name"] === undefined
      ? 0
      : (node["Actual Rows"] + removed) * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}

function linesOf(node: PlanNode, depth = 0): string[] {
  const using = node["Index Name"] ? ` using ${node["Index Name"]}` : "";
  const on = node["Relation Name"] ? ` on ${node["Relation Name"]}` : "";
  const removed = node["Rows Removed by Filter"];
  const line = `${"  ".repeat(depth)}${node["Node Type"]}${using}${on}: ${node["Actual Rows"]} rows`;
  return [
    `${line}${node["Actual Loops"] > 1 ? ` × ${node["Actual Loops"]}` : ""}${removed ? `, ${removed} removed` : ""}`,
    ...(node.Plans ?? []).flatMap((child) => linesOf(child, depth + 1)),
  ];
}
