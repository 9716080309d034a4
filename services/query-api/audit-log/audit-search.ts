import { given } from "#contracts/given.ts";
import type { FigureFacetTable } from "#read-model/tables/audit.ts";

/**
 * Properties that many entries share. They all come from closed lists, so few combinations occur. A
 * search compares its words with these combinations first; each match is one range of an index.
 */
export type Facet = FigureFacetTable;

/** The entries of a facet, or only those that one account caused. */
export interface FacetRange {
  readonly facet: Facet;
  readonly actor_id?: string;
}

/** A range of ids, both ends included. */
export interface IdRange {
  /** Restricts the range to streams of this kind. */
  readonly kind?: string;
  readonly first: string;
  readonly last: string;
}

/** Kinds of streams whose names contain an id. */
export const STREAM_KINDS = [
  "report",
  "user",
  "session",
  "access",
  "security",
  "inquiry",
  "notice",
  "content",
  "payment",
  "system",
  "template",
  "mail",
] as const;

/** Streams of the whole registry. */
const WITHOUT_ID: ReadonlySet<string> = new Set(["log", "settings"]);
const NIL_UUID = "00000000-0000-0000-0000-000000000000";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ID_WORD = new RegExp(`^(?:(${STREAM_KINDS.join("|")})-)?([0-9a-f]{8}[0-9a-f-]*)$`);
/** Roles without an account. */
const NOBODY = new Set(["visitor", "system"]);

/** The range of ids that start with the word: a whole UUID, or at least its first eight digits. */
export function idRange(word: string): IdRange | undefined {
  const [, kind, digits] = ID_WORD.exec(word.toLowerCase()) ?? [];
  if (digits === undefined) return undefined;
  const filled = (digit: string) => digits + NIL_UUID.replaceAll("0", digit).slice(digits.length);
  const [first, last] = [filled("0"), filled("f")];
  if (!UUID.test(first)) return undefined;
  return { ...given({ kind }), first, last };
}

/** Whether the facet contains the word, ignoring case. */
export function holds({ command, actor_role, stream_kind }: Facet, word: string): boolean {
  const wanted = word.toLowerCase();
  const texts = [
    command,
    actor_role,
    WITHOUT_ID.has(stream_kind) ? stream_kind : `${stream_kind}-`,
  ];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/**
 * The ranges of entries that have every word in their facet or as their actor.
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
