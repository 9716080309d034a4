import { digitsOf, type FoundPlace, isReference, matchesOf } from "./found-place.ts";

/** How the digits of a card are grouped in print: 4-4-4-4 and any remainder, 4-6-5 and 4-6-4. */
const PRINTED = /^(?:4(?:,4){2,3}(?:,[1-5])?|4,6,[45]|6,1[03])$/;
/** Separators of groups in print, and of others. Lists have a space after their commas. */
const BETWEEN_PRINTED = /^(?:,|[\s./_|*:~+\u00b7\u2022-]{1,3})$/;
const BETWEEN = /^[\s_-]{1,3}$/;

/** Two phone or Social Security numbers in a row begin this way. */
const OTHER_NUMBERS = /^3,[23],4(?:,|$)/;

/** A USPS tracking number, in groups. */
const USPS = /(?<!\d)9[1-5]\d\d(?: \d{4}){4} \d\d(?!\d)/g;
/** A UPS tracking number. */
const UPS =
  /(?<![A-Z\d])1Z ?[A-Z\d]{3} ?[A-Z\d]{3} ?[A-Z\d]{2} ?[A-Z\d]{4} ?[A-Z\d]{4}(?![A-Z\d])/gi;
/** A phone number with its country code, which has at most 15 digits (E.164). */
const PHONE = /(?<![\d+])\+[1-9](?:[ .()-]{0,2}\d){6,14}(?![ .()-]{0,2}\d)/g;
/** Dates, times and amounts, which are never part of a longer number. */
const MEASURES =
  /(?<![\d-])(?:\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d))(?![\d-])|(?<!\d)\d{1,2}:\d\d(?::\d\d)?(?!\d)|[$\u20ac\u00a3\u00a5] ?\d[\d,.]{0,15}|(?<![\d,])\d{1,3}(?:,\d{3}){1,4}(?:\.\d\d)?(?![\d,])|(?<!\d)\d{1,9}\.\d\d(?![\d.])/g;

const blank = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (found) => "x".repeat(found.length));

/** Groups of digits that may form one number. */
interface Run {
  readonly digits: string;
  readonly groups: readonly {
    readonly start: number;
    readonly end: number;
    /** Number of digits in the run before it. */
    readonly before: number;
  }[];
}

function* runsOf(text: string, between: RegExp): Generator<Run> {
  let digits = "";
  let groups: Run["groups"][number][] = [];
  for (const { 0: group, index: start } of text.matchAll(/\d+/g)) {
    const last = groups.at(-1)?.end ?? 0;
    if (groups.length > 0 && !(start - last <= 3 && between.test(text.slice(last, start)))) {
      yield { digits, groups };
      digits = "";
      groups = [];
    }
    groups.push({ start, end: start + group.length, before: digits.length });
    digits += group;
  }
  if (groups.length > 0) yield { digits, groups };
}

/** Returns how many groups, from `first` on, form the longest number that passes; 0 if none does. */
function longest(
  { digits, groups }: Run,
  first: number,
  lengths: { readonly least: number; readonly most: number },
  holds: (number: string, shape: () => string) => boolean,
): number {
  const from = groups[first]?.before ?? 0;
  let found = 0;
  for (let i = first; i < groups.length; i++) {
    const to = groups[i + 1]?.before ?? digits.length;
    if (to - from > lengths.most) break;
    if (to - from < lengths.least) continue;
    const row = () => groups.slice(first, i + 1).map(({ start, end }) => end - start);
    if (holds(digits.slice(from, to), () => row().join())) found = i - first + 1;
  }
  return found;
}

/**
 * Finds card numbers, however their digits are grouped.
 * @param own digits of the report's own orders and parcels.
 */
export function findCards(given: string, own: ReadonlySet<string>): FoundPlace[] {
  const found: FoundPlace[] = [];
  const sizes = [...own].map(({ length }) => length).filter((size) => size >= CARD_DIGITS.least);
  const ownLengths = { least: Math.min(...sizes), most: Math.max(...sizes) };
  const search = (text: string, between: RegExp, fits: (shape: string) => boolean) => {
    for (const run of runsOf(text, between)) {
      for (let first = 0; first < run.groups.length; ) {
        const mine = longest(run, first, ownLengths, (number) => own.has(number));
        const card =
          mine > 0
            ? 0
            : longest(run, first, CARD_DIGITS, (n, shape) => isCardNumber(n) && fits(shape()));
        const { start } = run.groups[first] as Run["groups"][number];
        const { end } = run.groups[first + Math.max(card, 1) - 1] as Run["groups"][number];
        if (card > 0) found.push({ kind: "card", start, end });
        first += Math.max(1, mine, card);
      }
    }
  };
  const parcels = [UPS, USPS, PHONE].reduce(blank, given);
  search(parcels, BETWEEN_PRINTED, (shape) => !shape.includes(",") || PRINTED.test(shape));
  let rest = "";
  for (const { start, end } of found)
    rest += `${parcels.slice(rest.length, start)}${"x".repeat(end - start)}`;
  rest = blank(rest + parcels.slice(rest.length), MEASURES);
  search(rest, BETWEEN, (shape) => !OTHER_NUMBERS.test(shape));
  return found;
}

const NAMES =
  "(?:c\\.?v\\.?[cvn]\\.?2?|csc|cav2|cid|(?:card )?security (?:code|number|digits)|card (?:verification )?(?:code|value)|(?:3|4|three|four)[ -]digit code|(?:digits|numbers?|code) on (?:the )?(?:back|front|reverse)(?: of (?:the|his|her|their) card)?)";
const FILLERS =
  "(?:(?:is|was|code|number|no|num|value|the|of|on|card|back|for|his|her|their|as|given|being|which|reads?|shown|used|entered)[\\s.,:=#\"'(\\[-]{1,3}){0,6}";
const NOT_A_QUANTITY =
  "(?![\\d%]|[-/.:,]\\d| ?(?:%|usd|eur|gbp|dollars|days|times|orders|attempts|transactions)\\b)";

/** The code after its name, before it, and after a card's number and expiry date. */
const CODES = [
  new RegExp(
    `(?<![a-z\\d])${NAMES}(?:[\\s:=#"'(\\[>-]{1,4})${FILLERS}(?<![\\d$])(\\d{3,4})${NOT_A_QUANTITY}`,
    "dgi",
  ),
  new RegExp(
    `(?<![\\d$.,/-])(\\d{3,4})(?:["']? (?:is|was|as|being) (?:(?:the|his|her|their|a) )?|["']? ?[(=:-] ?(?:the )?)${NAMES}(?![a-z])`,
    "dgi",
  ),
  /\d[\s,;|/]{1,3}(?:exp(?:\.|iry|ires|iration)?(?: date)?:? ?)?(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?[2-4]\d[\s,;|/]{1,3}(\d{3,4})(?![\d%]|[-/.:,]\d)/dg,
];

/**
 * Finds security codes.
 * @param cards the cards that were found: a code without a name follows one.
 */
export function* findCodes(text: string, cards: readonly FoundPlace[]): Generator<FoundPlace> {
  const [named, before, following] = CODES as [RegExp, RegExp, RegExp];
  yield* matchesOf("cvc", named, text);
  yield* matchesOf("cvc", before, text);
  if (cards.length === 0) return;
  const ends = new Set(cards.map(({ end }) => end - 1));
  for (const match of text.matchAll(following)) {
    const [start, end] = match.indices?.[1] ?? [0, 0];
    if (ends.has(match.index)) yield { kind: "cvc", start, end };
  }
}

/** Prefixes, as ranges whose bounds have equally many digits, and lengths of card numbers. */
type Issuer = readonly [
  prefixes: readonly (readonly [low: number, high: number])[],
  lengths: readonly number[],
];

const only = (...prefixes: readonly number[]) =>
  prefixes.map((prefix) => [prefix, prefix] as const);
const from = (least: number, most: number) =>
  Array.from({ length: most - least + 1 }, (_, i) => least + i);

/**
 * Issuers according to ISO/IEC 7812. Maestro's ranges are those in use: all that are reserved for it (50, 56 to
 * 69) would match every tenth parcel number, as would 81, of which UnionPay issues none abroad.
 */
const ISSUERS: Readonly<Record<string, Issuer>> = {
  visa: [only(4), [13, 16, 19]],
  mastercard: [
    [
      [51, 55],
      [2221, 2720],
    ],
    [16],
  ],
  amex: [only(34, 37), [15]],
  // 622126 to 622925 belong to UnionPay as well.
  discover: [[...only(6011, 65), [644, 649]], from(16, 19)],
  diners: [[...only(36), [38, 39], [300, 305], [3095, 3095]], from(14, 19)],
  jcb: [[[3528, 3589]], from(16, 19)],
  unionpay: [only(62), from(16, 19)],
  maestro: [
    [...only(5018, 5020, 5038, 5893, 6304, 6390, 6759), [6761, 6763], [676770, 676774]],
    from(13, 19),
  ],
  mir: [[[2200, 2204]], from(16, 19)],
  dankort: [only(5019), [16]],
  rupay: [
    [
      [508, 508],
      [606, 608],
    ],
    [16],
  ],
  verve: [[[506099, 506198]], [16, 18, 19]],
  troy: [only(9792), [16]],
  instapayment: [[[637, 639]], [16]],
};

export const CARD_DIGITS = { least: 13, most: 19 };

/** Whether digits pass the Luhn check (ISO/IEC 7812-1, annex B). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Cache of issuers by the first four digits. Prefixes have up to six. */
const ISSUED = new Map<string, readonly Issuer[]>();

function issuersOf(first: string): readonly Issuer[] {
  const known = ISSUED.get(first);
  if (known) return known;
  const issuers = Object.values(ISSUERS).filter(([prefixes]) =>
    prefixes.some(([low, high]) => {
      const size = Math.min(4, String(low).length);
      const prefix = Number(first.slice(0, size));
      return (
        prefix >= Number(String(low).slice(0, size)) &&
        prefix <= Number(String(high).slice(0, size))
      );
    }),
  );
  ISSUED.set(first, issuers);
  return issuers;
}

function isIssued(digits: string): boolean {
  return issuersOf(digits.slice(0, 4)).some(
    ([prefixes, lengths]) =>
      lengths.includes(digits.length) &&
      prefixes.some(([low, high]) => {
        const prefix = Number(digits.slice(0, String(low).length));
        return prefix >= low && prefix <= high;
      }),
  );
}

/** Whether digits can be a card number: an issuer's prefix and length, and the Luhn check. */
function isCardNumber(digits: string): boolean {
  return isIssued(digits) && passesLuhn(digits);
}

const AREA = "(?!000|666|9)\\d{3}";
/** Gap between a number and the word that names it. */
const GAP = "[^\\d]{0,30}?";
const BEFORE = "(?<![\\w.-]|\\d )";
const AFTER = "(?![\\w]|[-.]\\d)";

/** Matches the number after the word that names it, or shortly before it. */
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

/** Checksum of the Australian Taxation Office. */
function isTaxFileNumber(digits: string): boolean {
  const weights = TAX_WEIGHTS[digits.length];
  if (!weights || Number(digits) === 0) return false;
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11 === 0;
}

/** Luhn check; no number starts with 8. */
function isSocialInsuranceNumber(digits: string): boolean {
  return /^(?!8|0{9})\d{9}$/.test(digits) && passesLuhn(digits);
}

const SSN =
  "ssn|social security(?: (?:number|no|num))?|soc(?:ial)?\\.? sec(?:urity)?|social(?: number|(?=[\\s:#]{0,3}\\d|:| is | was ))";
const ITIN = "itin|(?:individual )?tax(?:payer)? (?:id|identification)(?: (?:number|no))?";
const SIN = "sin|social insurance(?: (?:number|no|num))?";
const TFN = "tfn|tax file(?: (?:number|no|num))?";
const NINO = "nino|ni(?: (?:number|no|num))?|national insurance(?: (?:number|no|num))?";

/** Excludes prefixes that HM Revenue & Customs does not allocate. */
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
 * Finds national numbers; those that a word names come first.
 * @param own digits of the report's own orders and parcels.
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
