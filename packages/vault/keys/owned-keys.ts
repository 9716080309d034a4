import type { QueryResultRow } from "pg";
import type { OwnedPage } from "./key-store.ts";

/** Runs one statement of the store, within its time limit. */
export type RunQuery = <Row extends QueryResultRow>(
  text: string,
  values: unknown[],
) => Promise<Row[]>;

/* Which keys are listed under an account; see the port. */

export async function own(
  run: RunQuery,
  owner: string,
  subjects: readonly string[],
): Promise<void> {
  await run(
    `update keys.subject_key set owner = $1
     where subject = any($2::text[]) and owner is null`,
    [owner, subjects],
  );
}

export async function disown(
  run: RunQuery,
  owner: string,
  only?: readonly string[],
): Promise<void> {
  await run(
    `update keys.subject_key set owner = null
     where owner = $1 and ($2::text[] is null or subject = any($2::text[]))`,
    [owner, only ?? null],
  );
}

export async function ownedBy(
  run: RunQuery,
  owner: string,
  page?: OwnedPage,
): Promise<readonly string[]> {
  const rows = await run<{ subject: string }>(
    `select subject from keys.subject_key
     where owner = $1 and ($2::text is null or subject collate "C" > $2)
     order by subject collate "C" limit $3`,
    [owner, page?.after ?? null, page?.limit ?? null],
  );
  return rows.map(({ subject }) => subject);
}
