import { indexedText, storable } from "../matching.ts";
import { idOf } from "../newest-writes.ts";
import type { LogPosition, SearchDocument, SearchWrite } from "../port.ts";
import { blindTerms, countryTerm } from "../search-plan.ts";

/** Id of the hidden document that records how far the index is. Reports have UUIDs. */
export const STATE_ID = "index-state";

/** A document as the index stores it, with the number that decides which write wins. */
export interface StoredDocument {
  readonly id: string;
  readonly version: bigint;
  readonly source: object;
}

const HIGHEST = 2n ** 62n;

/**
 * The external version of a write: the engine refuses any version below the stored one. There are
 * two for each position, so that at the same position a deletion wins over a document.
 * @throws {RangeError} the position is malformed.
 */
export function versionOf(position: LogPosition, isDelete: boolean): bigint {
  if (!/^\d{20}$/.test(position)) throw new RangeError("a position has twenty digits");
  const number = BigInt(position);
  if (number >= HIGHEST) throw new RangeError("a position is below 2^62");
  return number * 2n + (isDelete ? 1n : 0n);
}

/** A deleted document keeps only its id and a mark that hides it. */
export function storedDocument(write: SearchWrite): StoredDocument {
  const id = idOf(write);
  const isDelete = write.op === "delete";
  return {
    id,
    version: versionOf(write.position, isDelete),
    source: isDelete ? { id, hidden: true } : sourceOf(write.document),
  };
}

/** How far the index is, as a hidden document. */
export function storedState(position: LogPosition): StoredDocument {
  return {
    id: STATE_ID,
    version: versionOf(position, false),
    source: { id: STATE_ID, hidden: true, position },
  };
}

function sourceOf(given: SearchDocument): object {
  const submitted_at = new Date(given.submitted_at);
  const document: Omit<SearchDocument, "blind"> = {
    id: given.id,
    first_name: storable(given.first_name),
    last_name: storable(given.last_name),
    title: storable(given.title),
    description: storable(given.description),
    city: storable(given.city),
    state: storable(given.state).toUpperCase(),
    country: given.country,
    amount_cents: given.amount_cents,
    reasons: given.reasons,
    submitted_at: submitted_at.toISOString(),
  };
  const text = indexedText(given);
  return {
    id: given.id,
    hidden: false,
    document,
    state: document.state,
    reasons: given.reasons,
    amount_cents: given.amount_cents,
    submitted_ms: submitted_at.getTime(),
    name_text: text.name_text,
    search_text: text.search_text,
    terms: [...text.terms, countryTerm(given.country), ...blindTerms(given.blind ?? {})],
  };
}
