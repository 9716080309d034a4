/** Prefixes, as bounds of as many digits each, and lengths of card numbers. */
type Issuer = readonly [
  prefixes: readonly (readonly [low: number, high: number])[],
  lengths: readonly number[],
];

const only = (...prefixes: readonly number[]) =>
  prefixes.map((prefix) => [prefix, prefix] as const);
const from = (least: number, most: number) =>
  Array.from({ length: most - least + 1 }, (_, i) => least + i);

/**
 * Issuers by ISO/IEC 7812. Maestro's ranges are those in use: all that were set aside for it (50, 56 to 69)
 * would take every tenth parcel number for a card, as would 81, of which UnionPay issues none abroad.
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
  // 622126 to 622925 are UnionPay's as well.
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

/** Whether digits pass the check of Luhn (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Lengths by the first four digits, as issuers have prefixes of up to six. */
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

/** Whether digits can be a card's number: prefix and length of one issuer, and Luhn. */
export function isCardNumber(digits: string): boolean {
  return isIssued(digits) && passesLuhn(digits);
}
