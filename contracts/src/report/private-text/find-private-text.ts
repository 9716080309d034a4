import { isCardNumber, passesLuhn } from "./card-numbers.ts";

export type PrivateKind =
  | "card"
  | "cvc"
  | "ssn"
  | "sin"
  | "nino"
  | "tfn"
  | "email"
  | "phone"
  | "iban"
  | "bank_account"
  | "street";

export interface PrivatePlace {
  readonly kind: PrivateKind;
  /** UTF-16 offsets into the text; `end` is the first one after the place. */
  readonly start: number;
  readonly end: number;
  readonly weight: "refused" | "warned";
}

/** Characters that may separate the digits of one number; more than this many in a row end it. */
const MOST_SEPARATORS = 3;

/** The same text, unit for unit, with ASCII digits, spaces and dashes, so that offsets stay. */
const plain = (text: string): string =>
  text
    .replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, "-")
    .replace(/[\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff\t]/g, " ");

const digitsOf = (text: string): string => plain(text).replace(/\D/g, "");

/** Groups of digits that belong to one run: where each starts and ends. */
const runsOf = (text: string): { start: number; end: number }[][] => {
  const runs: { start: number; end: number }[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { 0: group, index: start } of text.matchAll(/\d+/g)) {
    const between = start - last;
    const joined = between <= MOST_SEPARATORS && /^[-\s./]+$/.test(text.slice(last, start));
    const end = start + group.length;
    if (joined) runs.at(-1)?.push({ start, end });
    else runs.push([{ start, end }]);
    last = end;
  }
  return runs;
};

const cards = (text: string, own: readonly string[]): PrivatePlace[] => {
  const found: PrivatePlace[] = [];
  for (const run of runsOf(text)) {
    let after = 0;
    for (const [first, { start }] of run.entries()) {
      if (start < after) continue;
      let digits = "";
      for (const group of run.slice(first, first + 19)) {
        if (digits.length + group.end - group.start > 19) break;
        digits += text.slice(group.start, group.end);
        if (!isCardNumber(digits) || own.includes(digits)) continue;
        found.push({ kind: "card", start, end: group.end, weight: "refused" });
        after = group.end;
        break;
      }
    }
  }
  return found;
};

const isTfn = (digits: string): boolean =>
  [1, 4, 3, 7, 5, 8, 6, 9, 10].reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) %
    11 ===
  0;

/** Patterns with bounded repetitions only, so that each is linear in the text. The last group is the place. */
const PATTERNS: readonly {
  kind: PrivateKind;
  weight: PrivatePlace["weight"];
  pattern: RegExp;
  holds?: (digits: string) => boolean;
}[] = [
  {
    kind: "cvc",
    weight: "refused",
    pattern: /\b(?:cvc2?|cvv2?|csc|cid|security code|card code)\b[^\d\n]{0,20}\b(\d{3,4})\b/dgi,
  },
  {
    kind: "ssn",
    weight: "refused",
    pattern: /(?<![\d-])((?!000|666|9)\d{3}([- ])(?!00)\d{2}\2(?!0000)\d{4})(?![\d-])/dg,
  },
  {
    kind: "ssn",
    weight: "refused",
    pattern:
      /\b(?:ssn|social security)\b[^\d\n]{0,20}((?!000|666|9)\d{3}[- ]?(?!00)\d{2}[- ]?(?!0000)\d{4})\b/dgi,
  },
  {
    kind: "sin",
    weight: "refused",
    pattern: /\b(?:sin|social insurance)\b[^\d\n]{0,20}(\d{3}[- ]?\d{3}[- ]?\d{3})\b/dgi,
    holds: passesLuhn,
  },
  {
    kind: "tfn",
    weight: "refused",
    pattern: /\b(?:tfn|tax file)\b[^\d\n]{0,20}(\d{3}[- ]?\d{3}[- ]?\d{3})\b/dgi,
    holds: isTfn,
  },
  {
    kind: "nino",
    weight: "refused",
    pattern: /\b([A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][- ]?\d{2}[- ]?\d{2}[- ]?\d{2}[- ]?[A-D])\b/dgi,
  },
  {
    kind: "email",
    weight: "warned",
    pattern: /(?<![\w.%+-])([\w.%+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4})/dgi,
  },
  {
    kind: "phone",
    weight: "warned",
    pattern:
      /(?<![\w+-])((?:\+?1[-. ]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])\d{3}[-. ]\d{4})(?![\d-])/dg,
  },
  {
    kind: "iban",
    weight: "warned",
    pattern: /\b([A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?)\b/dg,
  },
];

/**
 * Where a text has private details. `own` are the report's own order and tracking fields: their digits are no card.
 * Linear in the text's length; places are in the order of the text.
 */
export const findPrivateText = (
  text: string,
  { own }: { own: readonly string[] },
): readonly PrivatePlace[] => {
  const read = plain(text);
  const found = cards(read, own.map(digitsOf));
  for (const { kind, weight, pattern, holds } of PATTERNS) {
    for (const match of read.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      if (holds && !holds(digitsOf(match[1] ?? ""))) continue;
      if (found.some((place) => place.start < end && start < place.end)) continue;
      found.push({ kind, start, end, weight });
    }
  }
  return found.sort((a, b) => a.start - b.start);
};
