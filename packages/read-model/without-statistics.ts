/** Returns DDL that keeps values of personal columns out of `pg_statistic`, which an erasure would not reach. */
export function withoutStatistics(table: string, columns: readonly string[]): string {
  const actions = columns.map((column) => `alter column ${column} set statistics 0`);
  return `alter table ${table} ${actions.join(", ")};`;
}
