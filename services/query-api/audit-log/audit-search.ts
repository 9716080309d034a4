import { given } from "#contracts/given.ts";
import type { AuditEntryTable } from "#read-model/tables/audit.ts";

/**
 * What many entries have in common. The combinations that occur are few, since all of it comes from
 * closed lists, so a search is decided over them, and each that matches is one range of an index.
 */
export type Facet = Pick<AuditEntryTable, "event_type" | "command" | "actor_role" | "status"> & {
  /** `report` of `report-1b9d...`; every type of event has its own kind of stream. */
  readonly stream_kind: string;
};

/** Entries of a facet; with an account, those alone that it caused. */
export interface FacetRange {
  readonly facet: Facet;
  readonly actor_id?: string;
}

/** Ids from the first to the last, both included. */
export interface IdRange {
  /** Of streams: only those of this kind. */
  readonly kind?: string;
  readonly first: string;
  readonly last: string;
}

/** Kinds of streams that are named after an id. */
export const STREAM_KINDS = ["report", "user", "session", "access", "security"] as const;

const NIL_UUID = "00000000-0000-0000-0000-000000000000";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ID_WORD = new RegExp(`^(?:(${STREAM_KINDS.join("|")})-)?([0-9a-f]{8}[0-9a-f-]*)$`);
/** Who has no account. */
const NOBODY = new Set(["visitor", "system"]);

/** The ids that begin with the word: a UUID, or its first eight digits or more. */
export function idRange(word: string): IdRange | undefined {
  const [, kind, digits] = ID_WORD.exec(word.toLowerCase()) ?? [];
  if (digits === undefined) return undefined;
  const filled = (digit: string) => digits + NIL_UUID.replaceAll("0", digit).slice(digits.length);
  const [first, last] = [filled("0"), filled("f")];
  if (!UUID.test(first)) return undefined;
  return { ...given({ kind }), first, last };
}

/** Whether the facet itself holds the word, in any letters. */
export function holds({ command, actor_role, stream_kind }: Facet, word: string): boolean {
  const wanted = word.toLowerCase();
  const texts = [command, actor_role, stream_kind === "log" ? "log" : `${stream_kind}-`];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/**
 * The ranges of entries that have every word in their facet or in who caused them.
 * @param accountsOf ids of the accounts that a word names.
 */
export function rangesOf(
  facets: readonly Facet[],
  words: readonly string[],
  accountsOf: (word: string) => readonly string[],
): FacetRange[] {
  return facets.flatMap((facet): FacetRange[] => {
    const missing = words.filter((word) => !holds(facet, word));
    const [first, ...others] = missing.map(accountsOf);
    if (first === undefined) return [{ facet }];
    if (NOBODY.has(facet.actor_role)) return [];
    return first
      .filter((id) => others.every((ids) => ids.includes(id)))
      .map((actor_id) => ({ facet, actor_id }));
  });
}
