import { CARD_DIGITS } from "./card-numbers.ts";
import { findBankAccounts, findIbans } from "./find-bank-numbers.ts";
import { findCards, findCodes } from "./find-cards.ts";
import { findEmails, findPhones } from "./find-contacts.ts";
import { findNationalNumbers } from "./find-national-numbers.ts";
import { findStreets } from "./find-streets.ts";
import { digitsOf, type FoundPlace, PRIVATE_KINDS, type PrivateKind } from "./found-place.ts";
import { plainText } from "./plain-text.ts";

/** A place in a text that looks private. Refused kinds are never stored; warned ones may be. */
export interface PrivatePlace {
  readonly kind: PrivateKind;
  /** UTF-16 offsets into the text; `end` is the first one after the place. */
  readonly start: number;
  readonly end: number;
  readonly weight: "refused" | "warned";
}

/** What has fewer digits is not searched for: most texts have few. */
const LEAST_DIGITS = { iban: 2, code: 3, national: 6 } as const;

/**
 * Where a text has private details, in the order of the text. Places do not overlap.
 * Linear in the text's length.
 * @param own the report's own orders and parcels: their digits are no card's, and no national number's.
 * @param only the weight of the places that are asked for. Refused ones alone are found faster.
 */
export function findPrivateText(
  given: string,
  { own, only }: { readonly own: readonly string[]; readonly only?: PrivatePlace["weight"] },
): readonly PrivatePlace[] {
  const { text, originOf } = plainText(given);
  const taken = new Uint8Array(text.length);
  const found: FoundPlace[] = [];
  // A place belongs to the kind that is found first.
  const take = (places: Iterable<FoundPlace>) => {
    for (const place of places) {
      if (place.end <= place.start || taken.subarray(place.start, place.end).includes(1)) continue;
      taken.fill(1, place.start, place.end);
      found.push(place);
    }
  };
  const digits = digitsOf(text).length;
  if (digits >= LEAST_DIGITS.iban) take(findIbans(text));
  const numbers = new Set(own.map((each) => digitsOf(plainText(each).text)));
  const cards = digits >= CARD_DIGITS.least ? findCards(text, numbers) : [];
  take(cards);
  if (digits >= LEAST_DIGITS.code) take(findCodes(text, cards));
  if (digits >= LEAST_DIGITS.national) take(findNationalNumbers(text, numbers));
  if (only !== "refused") {
    take(findEmails(text));
    take(findBankAccounts(text));
    take(findPhones(text));
    take(findStreets(text));
  }
  return found
    .map(({ kind, start, end }) => ({
      kind,
      ...originOf(start, end),
      weight: PRIVATE_KINDS[kind].weight,
    }))
    .filter(({ weight }) => only === undefined || weight === only)
    .sort((a, b) => a.start - b.start);
}
