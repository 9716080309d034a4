import { type Sealed, subjects } from "#contracts/sealed.ts";
import type { EventJson } from "#event-store/port.ts";
import { type KeyLookups, KeyMissing } from "#vault/sealing/event-codec.ts";
import { openColumn, sealColumn } from "#vault/sealing/seal.ts";

/** A column whose values are sealed, each under the personal key of the report of its row. */
export interface SealedCell<T> {
  /** @returns undefined once the key is destroyed. */
  seal(reportId: string, value: T, keys: KeyLookups): Sealed | undefined;
  /** @returns undefined once the key is destroyed. @throws {KeyMissing} @throws {SealBroken} */
  open(reportId: string, sealed: Sealed, keys: KeyLookups): T | undefined;
}

/** @param table name of the table, the same under every schema that a rebuild fills. */
export function sealedCell<T extends object>(table: string, column: string): SealedCell<T> {
  return {
    seal(rowId, value, keys) {
      const subject = subjects.personal(rowId);
      const key = keyOf(subject, keys);
      if (!key) return undefined;
      return sealColumn(key, value as EventJson, { table, column, rowId, key: subject });
    },
    open(rowId, sealed, keys) {
      const key = keyOf(sealed.key, keys);
      return key && (openColumn(key, sealed, { table, column, rowId }) as T);
    },
  };
}

function keyOf(subject: string, keys: KeyLookups): Buffer | undefined {
  const found = keys.get(subject);
  if (found?.state === "present") return found.key;
  if (found?.state === "destroyed") return undefined;
  throw new KeyMissing(subject);
}
