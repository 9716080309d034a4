import { passesLuhn } from "./find-cards.ts";
import { digitsOf, type FoundPlace, isReference, matchesOf } from "./found-place.ts";

const AREA = "(?!000|666|9)\\d{3}";
/** Between a number and the word that names it. */
const GAP = "[^\\d]{0,30}?";
const BEFORE = "(?<![\\w.-]|\\d )";
const AFTER = "(?![\\w]|[-.]\\d)";

/** The number after the word that names it, or shortly before it. */
const named = (word: string, number: string): readonly RegExp[] => [
  new RegExp(`(?<![a-z])(?:${word})(?![a-z])${GAP}(?<!\\d)(${number})${AFTER}`, "dgi"),
  new RegExp(
    `${BEFORE}(${number})["')]?[\\s(,:-]{1,3}(?:(?:is|was|as) )?(?:(?:the|his|her|their|a) )?(?:${word})(?![a-z])`,
    "dgi",
  ),
];
const exact = (number: string): RegExp => new RegExp(`${BEFORE}(${number})${AFTER}`, "dgi");

const NINE = "\\d{3}([-. ]?)\\d{3}\\2\\d{3}";
const TAX_WEIGHTS: Readonly<Record<number, readonly number[]>> = {
  8: [10, 7, 8, 4, 6, 3, 5, 1],
  9: [1, 4, 3, 7, 5, 8, 6, 9, 10],
};

/** Check of the Australian Taxation Office. */
export function isTaxFileNumber(digits: string): boolean {
  const weights = TAX_WEIGHTS[digits.length];
  if (!weights || Number(digits) === 0) return false;
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11 === 0;
}

/** Luhn; no number starts with 8. */
export function isSocialInsuranceNumber(digits: string): boolean {
  return /^(?!8|0{9})\d{9}$/.test(digits) && passesLuhn(digits);
}

const SSN =
  "ssn|social security(?: (?:number|no|num))?|soc(?:ial)?\\.? sec(?:urity)?|social(?: number|(?=[\\s:#]{0,3}\\d|:| is | was ))";
const ITIN = "itin|(?:individual )?tax(?:payer)? (?:id|identification)(?: (?:number|no))?";
const SIN = "sin|social insurance(?: (?:number|no|num))?";
const TFN = "tfn|tax file(?: (?:number|no|num))?";
const NINO = "nino|ni(?: (?:number|no|num))?|national insurance(?: (?:number|no|num))?";

/** Prefixes that HM Revenue & Customs does not allot are left out. */
const NINO_PREFIX = "(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]";
const NINO_DIGITS = "([-. ]?)\\d{2}\\2\\d{2}\\2\\d{2}";

const ssnNamed = named(SSN, `${AREA}([-. ]?)(?!00)\\d{2}\\2(?!0000)\\d{4}`);
const ssnExact = exact(`${AREA}([- ])(?!00)\\d{2}\\2(?!0000)\\d{4}`);
const itinNamed = named(
  `${ITIN}|${SSN}`,
  "9\\d{2}([-. ]?)(?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])\\2\\d{4}",
);
const sinNamed = named(SIN, NINE);
const tfnNamed = [...named(TFN, NINE), ...named(TFN, "\\d{2}([-. ]?)\\d{3}\\2\\d{3}")];
const nineExact = exact("\\d{3}([- ])\\d{3}\\2\\d{3}");
const ninoNamed = named(NINO, `${NINO_PREFIX}${NINO_DIGITS}(?:\\2[A-D])?`);
const ninoExact = exact(`${NINO_PREFIX}${NINO_DIGITS} ?-?[A-D]`);

const isNoReference = (_: string, before: string) => !isReference(before);
const isTax = (value: string) => isTaxFileNumber(digitsOf(value));
const isInsurance = (value: string) => isSocialInsuranceNumber(digitsOf(value));

/**
 * National numbers: those with a word that names them first, so that they have its kind.
 * @param own digits of the report's own orders and parcels, some of which are grouped alike.
 */
export function* findNationalNumbers(
  text: string,
  own: ReadonlySet<string>,
): Generator<FoundPlace> {
  for (const pattern of tfnNamed) yield* matchesOf("tfn", pattern, text, isTax);
  for (const pattern of sinNamed) yield* matchesOf("sin", pattern, text, isInsurance);
  for (const pattern of ssnNamed) yield* matchesOf("ssn", pattern, text, isNoReference);
  for (const pattern of itinNamed) yield* matchesOf("ssn", pattern, text, isNoReference);
  for (const pattern of ninoNamed) yield* matchesOf("nino", pattern, text, isNoReference);
  yield* matchesOf("ssn", ssnExact, text, isNoReference);
  const isOther = (value: string, before: string) =>
    !isReference(before) && !own.has(digitsOf(value));
  yield* matchesOf("nino", ninoExact, text, isOther);
  const isNine = (holds: (value: string) => boolean) => (value: string, before: string) =>
    holds(value) &&
    isOther(value, before) &&
    !/\+\d{1,3}[ -]?$|(?:phone|tel|call|mobile|fax)\W*$/i.test(before);
  yield* matchesOf("sin", nineExact, text, isNine(isInsurance));
  yield* matchesOf("tfn", nineExact, text, isNine(isTax));
}
