import type { SearchDocument, SearchHit, SearchIndex, SearchQuery, SearchWrite } from "../port.ts";

/** Matches that the index under test counts exactly, few enough for tests to exceed. */
export const TEST_COUNT_CAP = 20;

/** A position of the log as text, ordered like the numbers. */
export const at = (n: number): string => String(n).padStart(20, "0");

const START = Date.UTC(2026, 0, 1);

/** A document with the given differences. `n` determines its id, and a larger n is newer. */
export function document(n: number, differences: Partial<SearchDocument> = {}): SearchDocument {
  return {
    id: `doc-${String(n).padStart(6, "0")}`,
    first_name: "Quinn",
    last_name: "Zyx",
    title: "Untitled",
    description: "Nothing to add",
    city: "Denver",
    state: "CO",
    country: "US",
    amount_cents: 10_000,
    reasons: ["fraudulent"],
    submitted_at: new Date(START + n * 60_000).toISOString(),
    ...differences,
  };
}

export const upsert = (position: number, doc: SearchDocument): SearchWrite => ({
  op: "upsert",
  position: at(position),
  document: doc,
});

export const remove = (position: number, doc: SearchDocument): SearchWrite => ({
  op: "delete",
  position: at(position),
  id: doc.id,
});

/** Stores the documents, each at its own position, in order. */
export async function fill(index: SearchIndex, docs: readonly SearchDocument[]): Promise<void> {
  await index.apply(
    docs.map((doc, i) => upsert(i + 1, doc)),
    at(docs.length),
  );
}

/** Documents 0 to n - 1. */
export function several(n: number, differences: Partial<SearchDocument> = {}): SearchDocument[] {
  return Array.from({ length: n }, (_, i) => document(i, differences));
}

/** The whole title of a hit. */
export const titleOf = ({ highlights }: SearchHit): string =>
  (highlights.title ?? []).map(({ text }) => text).join("");

/** Ids of the first page. */
export async function ids(index: SearchIndex, query: Partial<SearchQuery>): Promise<string[]> {
  const { hits } = await index.search({ size: 50, ...query });
  return hits.map((hit) => hit.id);
}

/** Follows `next` to the end and returns the ids of each page. */
export async function allPages(
  index: SearchIndex,
  query: Partial<SearchQuery> & { readonly size: number },
): Promise<string[][]> {
  const pages: string[][] = [];
  let page: string | undefined;
  do {
    const result = await index.search({ ...query, page });
    pages.push(result.hits.map((hit) => hit.id));
    page = result.next ?? undefined;
  } while (page !== undefined && pages.length < 100);
  return pages;
}
