import type { Sealed } from "#contracts/sealed.ts";
import type { EventJson } from "#event-store/port.ts";
import { type KeyLookups, KeyMissing } from "#vault/sealing/event-codec.ts";
import { openColumn, sealColumn } from "#vault/sealing/seal.ts";

/** A column whose values are sealed, each under the key of a subject. */
export interface SealedCell<T> {
  /** @returns undefined once the key is destroyed. */
  seal(rowId: string, value: T, keys: KeyLookups): Sealed | undefined;
  /** @returns undefined once the key is destroyed. @throws {KeyMissing} @throws {SealBroken} */
  open(rowId: string, sealed: Sealed, keys: KeyLookups): T | undefined;
}

/**
 * Caches what it sealed or opened for as long as the row is in memory.
 * @param table name of the table, the same in every schema that a rebuild fills.
 * @param subjectOf the subject whose key seals the row.
 */
export function sealedCell<T extends object>(
  table: string,
  column: string,
  subjectOf: (rowId: string) => string,
): SealedCell<T> {
  const opened = new WeakMap<Sealed, T>();
  return {
    seal(rowId, value, keys) {
      const subject = subjectOf(rowId);
      const key = keyOf(subject, keys);
      if (!key) return undefined;
      const sealed = sealColumn(key, value as EventJson, { table, column, rowId, key: subject });
      opened.set(sealed, value);
      return sealed;
    },
    open(rowId, sealed, keys) {
      const key = keyOf(sealed.key, keys);
      if (!key) return undefined;
      const value = opened.get(sealed) ?? (openColumn(key, sealed, { table, column, rowId }) as T);
      opened.set(sealed, value);
      return value;
    },
  };
}

function keyOf(subject: string, keys: KeyLookups): Buffer | undefined {
  const found = keys.get(subject);
  if (found?.state === "present") return found.key;
  if (found?.state === "destroyed") return undefined;
  throw new KeyMissing(subject);
}
