/**
 * DDL that makes autovacuum remove deleted rows at its next run (once a minute unless the server is
 * configured otherwise), however large the table is and however few they are.
 */
export function vacuumSoon(table: string): string {
  return `alter table ${table} set
    (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);`;
}
