import { randomBytes } from "node:crypto";
import type { KeyRequest } from "./key-store.ts";
import { KEY_BYTES, wrapKey } from "./wrapping.ts";

/**
 * A row of the statement: one for each key that was created or requested again, or one without a
 * key.
 */
export interface InsertedKey {
  readonly subject: string | null;
  /** Whether this statement created the key, rather than finding it. */
  readonly made: boolean | null;
}

/**
 * Creates keys, and the statement that stores those of subjects that have none. It returns no row
 * if the version of the master key is no longer the current one.
 */
export function insertKeys(
  requests: readonly KeyRequest[],
  version: number,
  master: Buffer,
): {
  readonly keys: ReadonlyMap<string, Buffer>;
  readonly text: string;
  readonly values: unknown[];
} {
  // Each draw is a system call.
  const drawn = randomBytes(KEY_BYTES * requests.length);
  const keys = new Map(
    requests.map(({ subject }, n) => [subject, drawn.subarray(n * KEY_BYTES, (n + 1) * KEY_BYTES)]),
  );
  const wrapped = [...keys].map(([name, key]) =>
    wrapKey(master, key, { kind: "subject", name, version }),
  );
  const owners = requests.map(({ owner }) => owner ?? null);
  return { keys, text: INSERT, values: [version, [...keys.keys()], owners, wrapped] };
}

// The share lock makes a rotation wait for writers that use the version that it replaces.
const INSERT = `
  with current as materialized (
    select version from keys.master_key
    where version = $1 and superseded_at is null for share
  ), given as (
    select * from unnest($2::text[], $3::text[], $4::bytea[]) as n (subject, owner, wrapped)
  ), made as (
    insert into keys.subject_key as k
      (subject, owner, wrapped, key_version, created_at, ensured_at)
    select n.subject, n.owner, n.wrapped, current.version, now(), now()
    from given n cross join current
    order by n.subject
    on conflict (subject) do update set ensured_at = now()
      where k.destroyed_at is null and not k.used
        and k.ensured_at < now() - interval '1 hour'
    returning k.subject, k.wrapped
  )
  select made.subject, made.wrapped = given.wrapped as made
  from current left join (made join given using (subject)) on true`;
