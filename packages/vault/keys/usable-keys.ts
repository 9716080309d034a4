import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";
import { WrongMasterKey } from "./key-store.ts";
import type { RunQuery } from "./owned-keys.ts";

/** A version that no master key has: while its row is there, a restore fills the stores. */
const RESTORING = 0;

/** Marks the stores as half filled, before the first write of a restore. */
export const BEGIN_RESTORE = `
  insert into keys.master_key (version, check_box, superseded_at) values (${RESTORING}, '', now())`;

/** Everything is restored. */
export const END_RESTORE = `delete from keys.master_key where version = ${RESTORING}`;

export const IS_RESTORING = `select 1 from keys.master_key where version = ${RESTORING}`;

/** @throws {CannotStart} a restore is under way, or was interrupted. */
export async function refuseUnfinishedRestore(run: RunQuery): Promise<void> {
  if ((await run(IS_RESTORING, [])).length > 0)
    throw new CannotStart(
      "A restore into these stores is under way, or was interrupted: empty them and restore again.",
    );
}

/**
 * @param unmatched versions of the master key that none of the given ones is.
 * @throws {WrongMasterKey} keys are still wrapped under one of them.
 */
export async function refuseUnfinishedRotation(
  run: RunQuery,
  unmatched: readonly number[],
): Promise<void> {
  if (unmatched.length === 0) return;
  const needed = await run(
    `select 1 from keys.subject_key where key_version = any($1)
     union all select 1 from keys.service_key where key_version = any($1) limit 1`,
    [unmatched],
  );
  if (needed.length > 0)
    throw new WrongMasterKey(
      "a rotation of the master key is unfinished: give the former key too (MASTER_KEY_PREVIOUS)",
    );
}
