/**
 * DDL that keeps the planner from storing values of these columns (`pg_statistic`), which an
 * erasure would not reach. They are the columns that name or describe a person. Indexes over them
 * are rebuilt after an erasure.
 */
export function withoutStatistics(table: string, columns: readonly string[]): string {
  const actions = columns.map((column) => `alter column ${column} set statistics 0`);
  return `alter table ${table} ${actions.join(", ")};`;
}
