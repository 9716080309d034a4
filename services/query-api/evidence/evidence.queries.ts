import type { ReadModelDatabase } from "#read-model/database.ts";

/** Whether an approved report shows this copy. */
export async function isShown(
  db: ReadModelDatabase,
  reportId: string,
  copyId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("reports.public_report")
    .select("copies")
    .where("id", "=", reportId)
    .executeTakeFirst();
  return row?.copies.some(({ copy_id }) => copy_id === copyId) ?? false;
}
