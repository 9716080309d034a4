/** Kinds of private details, with their names in messages. */
export const PRIVATE_KINDS = {
  card: { weight: "refused", name: "a card number" },
  cvc: { weight: "refused", name: "a card security code" },
  ssn: { weight: "refused", name: "a Social Security number" },
  sin: { weight: "refused", name: "a Social Insurance Number" },
  nino: { weight: "refused", name: "a National Insurance number" },
  tfn: { weight: "refused", name: "a tax file number" },
  email: { weight: "warned", name: "an email address" },
  phone: { weight: "warned", name: "a phone number" },
  iban: { weight: "warned", name: "an IBAN" },
  bank_account: { weight: "warned", name: "a bank account" },
  street: { weight: "warned", name: "a street address" },
} as const satisfies Readonly<
  Record<string, { readonly weight: "refused" | "warned"; readonly name: string }>
>;
export type PrivateKind = keyof typeof PRIVATE_KINDS;

/** A place in the plain text, in UTF-16 units; `end` is exclusive. */
export interface FoundPlace {
  readonly kind: PrivateKind;
  readonly start: number;
  readonly end: number;
}

/** Yields the first group of each match of a pattern with the flag `d`, if it passes the check. */
export function* matchesOf(
  kind: PrivateKind,
  pattern: RegExp,
  text: string,
  holds: (value: string, before: string) => boolean = () => true,
): Generator<FoundPlace> {
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.[1] ?? [0, 0];
    const before = text.slice(Math.max(0, start - BEFORE), start);
    if (holds(text.slice(start, end), before)) yield { kind, start, end };
  }
}

/** Number of characters before a place that can show what it is. */
const BEFORE = 40;

export const digitsOf = (text: string): string => text.replace(/\D/g, "");

const REFERENCE =
  /\b(?:orders?|invoices?|inv|tracking|shipment|parcel|ref|reference|case|ticket|rma|po|purchase order|transaction|txn|confirmation|item|part|model|serial|sku|isbn|upc|ean|acn|abn|ein|vat|company|registration)(?: (?:id|no|nr|num|number|code|is|was))*[\s.:#=-]*$/i;

/** Whether the words right before a number mark it as an order, an invoice, a parcel or the like. */
export const isReference = (before: string): boolean => REFERENCE.test(before);
