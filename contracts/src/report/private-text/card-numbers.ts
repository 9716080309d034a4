/** Prefixes and lengths of card numbers by issuer (ISO/IEC 7812); a prefix's bounds have the same number of digits. */
const ISSUERS: readonly {
  prefixes: readonly (readonly [number, number])[];
  lengths: readonly number[];
}[] = [
  { prefixes: [[4, 4]], lengths: [13, 16, 19] },
  {
    prefixes: [
      [51, 55],
      [2221, 2720],
    ],
    lengths: [16],
  },
  {
    prefixes: [
      [34, 34],
      [37, 37],
    ],
    lengths: [15],
  },
  {
    prefixes: [
      [300, 305],
      [3095, 3095],
      [36, 36],
      [38, 39],
    ],
    lengths: [14, 16, 19],
  },
  {
    prefixes: [
      [6011, 6011],
      [644, 649],
      [65, 65],
      [3528, 3589],
      [62, 62],
      [81, 81],
    ],
    lengths: [16, 17, 18, 19],
  },
  {
    prefixes: [
      [5018, 5018],
      [5020, 5020],
      [5038, 5038],
      [5893, 5893],
      [6304, 6304],
      [6759, 6759],
      [6761, 6763],
    ],
    lengths: [13, 14, 15, 16, 17, 18, 19],
  },
];

/** Whether digits pass the check of Luhn (ISO/IEC 7812-1, annex B). */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** Whether digits alone can be a card's number: prefix and length of one issuer, and Luhn. */
export const isCardNumber = (digits: string): boolean =>
  ISSUERS.some(
    ({ prefixes, lengths }) =>
      lengths.includes(digits.length) &&
      prefixes.some(([low, high]) => {
        const prefix = Number(digits.slice(0, String(low).length));
        return prefix >= low && prefix <= high;
      }),
  ) && passesLuhn(digits);
