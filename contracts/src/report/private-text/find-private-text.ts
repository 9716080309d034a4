import { CARD_DIGITS, findCards, findCodes, findNationalNumbers } from "./find-cards.ts";
import {
  digitsOf,
  type FoundPlace,
  isReference,
  matchesOf,
  PRIVATE_KINDS,
  type PrivateKind,
} from "./found-place.ts";

/** A place in a text that looks private. Refused kinds are never stored; warned ones may be. */
export interface PrivatePlace {
  readonly kind: PrivateKind;
  /** UTF-16 offsets into the text; `end` is the first one after the place. */
  readonly start: number;
  readonly end: number;
  readonly weight: "refused" | "warned";
}

/** Texts with fewer digits are not searched; most texts have few. */
const MIN_DIGITS = { iban: 2, code: 3, national: 6 } as const;

/**
 * Finds private details in a text, in text order. Places do not overlap. Linear in the text's length.
 * @param own the report's own order and parcel numbers, which count as neither cards nor national numbers.
 * @param only the weight to search for. `refused` alone is faster.
 */
export function findPrivateText(
  given: string,
  { own, only }: { readonly own: readonly string[]; readonly only?: PrivatePlace["weight"] },
): readonly PrivatePlace[] {
  const { text, originOf } = plainText(given);
  const taken = new Uint8Array(text.length);
  const found: FoundPlace[] = [];
  // A place belongs to the first kind that finds it.
  const take = (places: Iterable<FoundPlace>) => {
    for (const place of places) {
      if (place.end <= place.start || taken.subarray(place.start, place.end).includes(1)) continue;
      taken.fill(1, place.start, place.end);
      found.push(place);
    }
  };
  const digits = digitsOf(text).length;
  if (digits >= MIN_DIGITS.iban) take(findIbans(text));
  const numbers = new Set(own.map((each) => digitsOf(plainText(each).text)));
  const cards = digits >= CARD_DIGITS.least ? findCards(text, numbers) : [];
  take(cards);
  if (digits >= MIN_DIGITS.code) take(findCodes(text, cards));
  if (digits >= MIN_DIGITS.national) take(findNationalNumbers(text, numbers));
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

/** A text as detectors read it, and the origin of each of its characters. */
interface PlainText {
  /** ASCII digits, letters, spaces and dashes in place of their look-alikes, without invisible characters. */
  readonly text: string;
  /** Returns the place of `text.slice(start, end)` in the original text, in UTF-16 units. */
  originOf(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Format characters and combining marks: zero-width spaces, soft hyphens, keycaps. */
const INVISIBLE = /^[\p{Cf}\p{Mn}\p{Me}]$/u;
const DIGIT = /^\p{Nd}$/u;
const DASH = /^[\p{Pd}\u2212]$/u;
const SPACE = /^[\p{Zs}\t\v\f]$/u;
const BREAK = /^[\r\u0085\u2028\u2029]$/;
const BEYOND_ASCII = /[^\n -~]/;

/** Returns the value of a decimal digit in any script: Unicode encodes them in ascending runs of ten. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

function plainCharacter(character: string): string {
  if ((character >= " " && character <= "~") || character === "\n") return character;
  if (INVISIBLE.test(character)) return "";
  if (BREAK.test(character)) return "\n";
  if (SPACE.test(character)) return " ";
  if (DASH.test(character)) return "-";
  if (DIGIT.test(character)) return digitValue(character);
  const compatible = character.normalize("NFKC");
  return compatible.length === 1 && !BEYOND_ASCII.test(compatible) ? compatible : character;
}

/** Linear in the text's length. */
function plainText(given: string): PlainText {
  if (!BEYOND_ASCII.test(given)) return { text: given, originOf: (start, end) => ({ start, end }) };
  const starts: number[] = [];
  const ends: number[] = [];
  const parts: string[] = [];
  let at = 0;
  for (const character of given) {
    const plain = plainCharacter(character);
    for (let unit = 0; unit < plain.length; unit++) {
      // An unchanged character keeps its UTF-16 units separate.
      starts.push(plain === character ? at + unit : at);
      ends.push(plain === character ? at + unit + 1 : at + character.length);
    }
    parts.push(plain);
    at += character.length;
  }
  const originOf = (start: number, end: number) => ({
    start: starts[start] ?? at,
    end: ends[end - 1] ?? at,
  });
  return { text: parts.join(""), originOf };
}

const LOCAL = "(?<![\\p{L}\\p{N}._%+'-])([\\p{L}\\p{N}_%+'-][\\p{L}\\p{N}._%+'-]{0,63}";
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,62})";
const TOP = "\\p{L}{2,24}(?![\\p{L}\\p{N}])";
/** File name extensions, as in icon@2x.png. */
const NO_FILE = "(?!png|jpe?g|gif|svg|webp|pdf)";

const EMAIL = new RegExp(`${LOCAL} ?@ ?(?:${LABEL}\\.){1,5}${NO_FILE}${TOP})`, "dgiu");
/** name (at) example (dot) com, and with words for both. */
const SPELLED = new RegExp(
  `${LOCAL} ?(?:[([{] ?at ?[)\\]}]| at |@) ?${LABEL}(?: ?(?:[([{] ?(?:dot|\\.) ?[)\\]}]| dot ) ?${LABEL}){0,3} ?(?:[([{] ?(?:dot|\\.) ?[)\\]}]| dot ) ?${NO_FILE}${TOP})`,
  "dgiu",
);

/** Start of a number that is not part of a longer one or of a URL. */
const START = "(?<![\\w+@&=/.-]|\\d )";
const END = "(?![\\w@]|[-./]\\d)";
const SEPARATOR = "[ .-]";

const PHONES = [
  // North America.
  `${START}((?:\\+?1[ .-]{0,2})?(?:\\([2-9]\\d{2}\\)[ .-]{0,2}|[2-9]\\d{2}[ ./-]{1,2})[2-9]\\d{2}[ .-]{1,2}\\d{4})${END}`,
  // International, E.164.
  `(?<![\\w+@&=/.-])((?:\\+|00)[1-9](?:[ ./-]{0,2}\\(?\\d\\)?){6,14})${END}`,
  // With the trunk prefix 0, in groups.
  `${START}(\\(0\\d{1,4}\\) ?\\d{3,4}[ -]?\\d{3,4}|0\\d{4}[ -]\\d{6}|0\\d{2,3}${SEPARATOR}\\d{3,4}${SEPARATOR}\\d{3,4}|0\\d${SEPARATOR}\\d{4}${SEPARATOR}\\d{4}|0\\d(?:${SEPARATOR}\\d\\d){4}|0\\d{2,4} ?/ ?\\d{5,8}|0\\d{2,3}${SEPARATOR}\\d{6,8})${END}`,
].map((pattern) => new RegExp(pattern, "dg"));

/** Any number after a word that marks it as a phone number. */
const CALLED =
  /(?<![a-z])(?:(?:tele)?phone|telephone|tel|ph|cell(?:phone)?|mobile|fax|whatsapp|sms|signal|viber|telegram|contact|call(?:ed|ing)?|text(?:ed)?|dial(?:ed)?|ring|reach(?:ed)?)(?:[ .](?:number|no|is|was|at|on|me|us|him|her|them|his|the|my))*[\s:.#=-]{1,3}(\+?\(?\d(?:[ ./()-]{0,2}\d){6,14})(?![\w@]|[-./]\d)/dgi;

/** A date in digits, which may follow "called on". */
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})/;

function* findEmails(text: string): Generator<FoundPlace> {
  if (text.includes("@")) yield* matchesOf("email", EMAIL, text);
  if (/dot|\[\.\]|\(\.\)/i.test(text)) yield* matchesOf("email", SPELLED, text);
}

function* findPhones(text: string): Generator<FoundPlace> {
  const holds = (value: string, before: string) => {
    const { length } = digitsOf(value);
    return length >= 7 && length <= 15 && !isReference(before) && !DATE.test(value);
  };
  for (const pattern of PHONES) yield* matchesOf("phone", pattern, text, holds);
  yield* matchesOf("phone", CALLED, text, holds);
}

/** Words that end only street names. */
const CLEAR =
  "street|avenue|ave|boulevard|blvd|lane|road|rd|parkway|pkwy|expressway|turnpike|terrace|crescent|highway|hwy";
/** Words that also end other names, so the name must be capitalized. */
const CAPITAL =
  "St|Street|Ave|Avenue|Av|Blvd|Boulevard|Ln|Lane|Rd|Road|Dr|Drive|Ct|Court|Pl|Place|Plaza|Sq|Square|Ter|Terrace|Cir|Circle|Trl|Trail|Pkwy|Parkway|Way|Loop|Run|Row|Hwy|Highway|Close|Crescent|Cres|Gardens|Grove|Mews|Alley|Walk|Path|Pike|Crossing|Ridge|Point|Cove|Hill|Parade|Pde|Quay|Esplanade|Heights|Gate|Rise|Bend|Trace|Circuit|Cct|Causeway|Freeway|Fwy|Bypass|Park";
const TAIL =
  "(?:\\.|\\b)(?: (?:N|S|E|W|NE|NW|SE|SW)\\b\\.?)?(?:,? (?:[Aa]pt|APT|[Aa]partment|[Uu]nit|UNIT|[Ss]uite|[Ss]te|STE|[Ff]loor|[Ff]l|[Rr]oom|[Rr]m|[Ff]lat|#)\\.? ?#?[A-Za-z\\d-]{1,6}\\b)?";
/** City, state and ZIP code after a street. */
const CITY = "(?:,? (?:[A-Z][A-Za-z.'-]{1,20} ?){1,3},? [A-Z]{2},? \\d{5}(?:-\\d{4})?(?!\\d))?";
const NUMBER =
  "(?<![\\w$\\u20ac\\u00a3#/.,-])(?:\\d{1,4}\\/)?\\d{1,6}(?:-\\d{1,5})?(?:[A-Za-z]| 1/2)?";
const UNIT =
  "(?: (?!TB|GB|MB|KB)(?:(?:N|S|E|W|NE|NW|SE|SW)\\.?|[A-Z][\\p{L}'.-]{1,24}|\\d{1,3}(?:st|nd|rd|th)|(?:de|la|los|las|del|of|the)(?= )))";
/** Words that are not street names. */
const OTHER =
  "(?:of|on|in|to|at|off|for|from|per|and|the|a|an|days?|weeks?|hours?|minutes?|months?|years?|times?|items?|units?|miles?|km|blocks?|orders?|boxes|pairs?|pcs|pieces|x|more|lane|way|by|with|is|was|were|other|different|usd|dollars?)";
const PLAIN_NAME = `(?!${OTHER} )[a-z\\d'.-]{2,20}`;

const STREETS: readonly RegExp[] = [
  new RegExp(`(${NUMBER}(?:,)?${UNIT}{1,4} (?:${CAPITAL})${TAIL}${CITY})`, "dgu"),
  new RegExp(
    `(${NUMBER} (?:(?:n|s|e|w|north|south|east|west)\\.? )?${PLAIN_NAME}(?: ${PLAIN_NAME})? (?:${CLEAR}|st)${TAIL})`,
    "dgiu",
  ),
  // All capitals.
  new RegExp(
    `(${NUMBER}(?: [NSEW]\\.?)?(?: (?!${OTHER.toUpperCase()} )[A-Z\\d'.-]{2,24}){1,2} (?:${CAPITAL.toUpperCase()})${TAIL}${CITY})`,
    "dgu",
  ),
  // 1200 Broadway, 4400 Highway 9, 880 County Road 12.
  new RegExp(
    `(${NUMBER} (?:[NSEW]\\.? )?(?:(?:Old |US |State |County )?(?:Highway|Hwy|Route|Rte|County Road|State Road|FM) \\d{1,4}\\b|Broadway\\b)${TAIL}${CITY})`,
    "dgu",
  ),
  // P.O. Box 12.
  /(?<![a-z])(p\.? ?o\.? ?box \d{1,6})(?!\d)/dgi,
  // 12 rue de Rivoli, 5 place du Marche.
  /(?<![\w$.,-])(\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|boul\.|bd\.?|chemin|ch\.|impasse|all\u00e9e|place|quai|cours|rang) (?:(?:de|du|des|la|le|les|l'|d')[ ]?){0,2}\p{Lu}[\p{L}'-]{1,24}(?:[ -]\p{Lu}[\p{L}'-]{1,24}){0,2})/dgu,
  // Hauptstrasse 12. "Am Markt" is not found.
  /(?<![\p{L}])(\p{Lu}[\p{L}-]{2,30}(?:stra\u00dfe|strasse|str\.|gasse|weg|platz|allee|straat|laan|gatan|vej)\.? \d{1,4} ?[a-z]?)(?![\p{L}\d])/dgu,
  // Calle Mayor 5, Via Roma, 12.
  /(?<![\p{L}])((?:Calle|C\/|Avenida|Avda\.?|Av\.|Rua|Via|Viale|Piazza|Corso|Ulica|ul\.) (?:(?:de|del|della|da|do|dos|das|la|las|los|di) ){0,2}\p{Lu}[\p{L}'-]{1,24}(?: (?:de |del |da )?\p{Lu}[\p{L}'-]{1,24}){0,2},? (?:n[\u00ba\u00b0.]? ?)?\d{1,5})(?!\d)/dgu,
];

/** Finds street addresses: a number and a street name, with unit and city if given. */
function* findStreets(text: string): Generator<FoundPlace> {
  for (const pattern of STREETS) yield* matchesOf("street", pattern, text);
}

/** IBAN lengths by country, from the SWIFT registry (ISO 13616). */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
    .split(" ")
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);

/** Check digits of ISO 7064, MOD 97-10. */
function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Finds IBANs that have their country's length and valid check digits, grouped or not. */
function* findIbans(text: string): Generator<FoundPlace> {
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

/** Checksum of the American Bankers Association. The first two digits name a Federal Reserve district. */
function isRoutingNumber(digits: string): boolean {
  if (!/^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(digits)) return false;
  if (Number(digits) === 0) return false;
  const sum = [...digits].reduce(
    (all, digit, i) => all + Number(digit) * ([3, 7, 1][i % 3] as number),
    0,
  );
  return sum % 10 === 0;
}

/** Maximum distance between an account number and its bank's number, in characters. */
const NEAR = 80;

/** Bank numbers: in the US by their checksum, in other countries by a word. */
const ROUTING = /(?<![\w.-])(\d{4}[ -]?\d{4}[ -]?\d|\d{3}[ -]?\d{3}[ -]?\d{3})(?![\w]|[-.]\d)/dg;
const BRANCH =
  /\b(?:sort ?code|bsb|transit(?: (?:number|no))?|blz|branch(?: (?:number|no|code))?)\b(?: (?:is|was|number|no))*[\s:.#]{0,4}(\d{2}[ -]?\d{2}[ -]?\d{2}|\d{3}[ -]?\d{3}|\d{5}(?:[ -]\d{3})?|\d{8})(?!\d)/dgi;
const NAME =
  "(?:a\\/c|acc(?:oun)?t|acct|account|checking|chequing|savings|konto|acc)\\.?(?: (?:account|acct|number|num|no|nr|id|is|was|of|ending|his|her|the))*\\.?";
const ACCOUNT = new RegExp(
  `(?<![a-z])${NAME}[\\s:.#=('"]{0,4}(?<![\\d$-])(\\d(?:[ -]?\\d){3,16})(?![\\w]|[-.,]\\d)`,
  "dgi",
);
/** An account number that only words mark as a bank's. */
const BANK_ACCOUNT = new RegExp(
  `(?<![a-z])(?:bank|checking|chequing|savings) ${NAME}[\\s:.#=('"]{0,4}(?<![\\d$-])(\\d(?:[ -]?\\d){5,16})(?![\\w]|[-.,]\\d)`,
  "dgi",
);

const placesOf = (text: string, pattern: RegExp): FoundPlace[] =>
  [...text.matchAll(pattern)].map(({ indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0];
    return { kind: "bank_account", start, end };
  });

/** Finds account numbers next to a bank's number, or named as a bank's. The bank's own number is public. */
function* findBankAccounts(text: string): Generator<FoundPlace> {
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

/** "routing 021000021 / 000123456789": finds the second number if a word names the first. */
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
