import { digitsOf, type FoundPlace } from "./found-place.ts";

/** Lengths of IBANs by country, from the registry of SWIFT (ISO 13616). */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
    .split(" ")
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);

/** Check of ISO 7064, MOD 97-10. */
function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** IBANs with the length of their country and the right check digits, in groups or not. */
export function* findIbans(text: string): Generator<FoundPlace> {
  for (const { 0: head, index: start } of text.matchAll(
    /(?<![A-Z\d])[A-Z]{2} ?\d ?\d(?=[ -]?[A-Z\d])/gi,
  )) {
    const length = IBAN_LENGTHS[head.slice(0, 2).toUpperCase()];
    if (length === undefined) continue;
    let iban = head.replaceAll(" ", "").toUpperCase();
    let at = start + head.length;
    while (iban.length < length) {
      const next = /^[\s.-]{0,2}([A-Z\d])/i.exec(text.slice(at, at + 3));
      if (!next) break;
      iban += (next[1] as string).toUpperCase();
      at += next[0].length;
    }
    const isWhole = iban.length === length && !/^[A-Z\d]/i.test(text.slice(at, at + 1));
    if (isWhole && passesMod97(iban)) yield { kind: "iban", start, end: at };
  }
}

/** Check of the American Bankers Association; the first two digits name a district of the Federal Reserve. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(digits)) return false;
  if (Number(digits) === 0) return false;
  const sum = [...digits].reduce(
    (all, digit, i) => all + Number(digit) * ([3, 7, 1][i % 3] as number),
    0,
  );
  return sum % 10 === 0;
}

/** How far an account's number may be from that of its bank. */
const NEAR = 80;

/** Numbers of banks: of the US by their check, of others by a word. */
const ROUTING = /(?<![\w.-])(\d{4}[ -]?\d{4}[ -]?\d|\d{3}[ -]?\d{3}[ -]?\d{3})(?![\w]|[-.]\d)/dg;
const BRANCH =
  /\b(?:sort ?code|bsb|transit(?: (?:number|no))?|blz|branch(?: (?:number|no|code))?)\b(?: (?:is|was|number|no))*[\s:.#]{0,4}(\d{2}[ -]?\d{2}[ -]?\d{2}|\d{3}[ -]?\d{3}|\d{5}(?:[ -]\d{3})?|\d{8})(?!\d)/dgi;
const NAME =
  "(?:a\\/c|acc(?:oun)?t|acct|account|checking|chequing|savings|konto|acc)\\.?(?: (?:account|acct|number|num|no|nr|id|is|was|of|ending|his|her|the))*\\.?";
const ACCOUNT = new RegExp(
  `(?<![a-z])${NAME}[\\s:.#=('"]{0,4}(?<![\\d$-])(\\d(?:[ -]?\\d){3,16})(?![\\w]|[-.,]\\d)`,
  "dgi",
);
/** An account of a bank by its words alone. */
const BANK_ACCOUNT = new RegExp(
  `(?<![a-z])(?:bank|checking|chequing|savings) ${NAME}[\\s:.#=('"]{0,4}(?<![\\d$-])(\\d(?:[ -]?\\d){5,16})(?![\\w]|[-.,]\\d)`,
  "dgi",
);

const placesOf = (text: string, pattern: RegExp): FoundPlace[] =>
  [...text.matchAll(pattern)].map(({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0];
    return { kind: "bank_account", start, end };
  });

/**
 * Numbers of accounts beside a bank's number, and of accounts that are called a bank's. The bank's own number is
 * public.
 */
export function* findBankAccounts(text: string): Generator<FoundPlace> {
  const accounts = placesOf(text, ACCOUNT);
  const routing = placesOf(text, ROUTING).filter(({ start, end }) =>
    isRoutingNumber(digitsOf(text.slice(start, end))),
  );
  const banks = [...placesOf(text, BRANCH), ...routing].sort((a, b) => a.start - b.start);
  let next = 0;
  for (const bank of banks) {
    while (next < accounts.length && (accounts[next] as FoundPlace).end < bank.start - NEAR) next++;
    let isNamed = false;
    for (let i = next; i < accounts.length; i++) {
      const account = accounts[i] as FoundPlace;
      if (account.start > bank.end + NEAR) break;
      if (overlaps(account, bank)) continue;
      isNamed = true;
      yield account;
    }
    if (!isNamed) yield* unnamed(text, bank);
  }
  yield* placesOf(text, BANK_ACCOUNT);
}

const overlaps = (a: FoundPlace, b: FoundPlace) => a.start < b.end && b.start < a.end;

/** "routing 021000021 / 000123456789": the number that follows, where a word says what the first one is. */
function* unnamed(text: string, bank: FoundPlace): Generator<FoundPlace> {
  const before = text.slice(Math.max(0, bank.start - 40), bank.start);
  if (!/\b(?:routing|aba|rtn|micr|sort ?code|bsb|transit)\b[^\d]{0,25}$/i.test(before)) return;
  const next = /^[\s,;/|&-]{1,3}(?:and )?(\d{6,17})(?![\w]|[-.,]\d)/.exec(
    text.slice(bank.end, bank.end + 30),
  );
  if (!next) return;
  const start = bank.end + next[0].length - (next[1] as string).length;
  yield { kind: "bank_account", start, end: start + (next[1] as string).length };
}
