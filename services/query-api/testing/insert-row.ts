import type pg from "pg";

/**
 * Inserts a row.
 * @param table with its schema: "reports.report". Trusted, like the column names.
 */
export async function insertRow(
  db: pg.Pool,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(row);
  await db.query(
    `insert into ${table} (${names.join(", ")})
     values (${names.map((_, n) => `$${n + 1}`).join(", ")})`,
    Object.values(row),
  );
}
