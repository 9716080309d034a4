/**
 * DDL: the planner keeps no values of these columns (`pg_statistic`), which an erasure would not
 * reach. The columns of a table that name a person or tell of them; indexes over them are made again
 * after an erasure.
 */
export function withoutStatistics(table: string, columns: readonly string[]): string {
  const actions = columns.map((column) => `alter column ${column} set statistics 0`);
  return `alter table ${table} ${actions.join(", ")};`;
}
