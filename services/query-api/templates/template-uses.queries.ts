import type { ReadModelDatabase } from "#read-model/database.ts";

/** How often a template was mailed, and when last. */
export interface TemplateUse {
  readonly uses: number;
  readonly last: Date;
}

/** Uses by `kind/template`, where the template is an id or `shipped`. */
export async function readUses(db: ReadModelDatabase): Promise<ReadonlyMap<string, TemplateUse>> {
  const rows = await db
    .selectFrom("outbox.template_use")
    .select(["kind", "template", "uses", "last_used_at"])
    .execute();
  return new Map(
    rows.map(({ kind, template, uses, last_used_at: last }) => [
      `${kind}/${template}`,
      { uses, last },
    ]),
  );
}
