import { findBankAccounts, findIbans } from "./find-bank-numbers.ts";
import { CARD_DIGITS, findCards, findCodes } from "./find-cards.ts";
import { findNationalNumbers } from "./find-national-numbers.ts";
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

/** A text as detectors read it, and where each of its characters stood. */
interface PlainText {
  /** ASCII digits, letters, spaces and dashes in place of their look-alikes, without invisible characters. */
  readonly text: string;
  /** The place of `text.slice(start, end)` in the text that was given, in UTF-16 units. */
  originOf(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Format characters and combining marks: zero-width spaces, soft hyphens, keycaps. */
const INVISIBLE = /^[\p{Cf}\p{Mn}\p{Me}]$/u;
const DIGIT = /^\p{Nd}$/u;
const DASH = /^[\p{Pd}\u2212]$/u;
const SPACE = /^[\p{Zs}\t\v\f]$/u;
const BREAK = /^[\r\u0085\u2028\u2029]$/;
const BEYOND_ASCII = /[^\n -~]/;

/** The value of a decimal digit of any script: Unicode keeps them in runs of ten, in ascending order. */
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
      // A character that stays as it is keeps its units apart.
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
/** Ends of names of files: icon@2x.png. */
const NO_FILE = "(?!png|jpe?g|gif|svg|webp|pdf)";

const EMAIL = new RegExp(`${LOCAL} ?@ ?(?:${LABEL}\\.){1,5}${NO_FILE}${TOP})`, "dgiu");
/** name (at) example (dot) com, and with words for both. */
const SPELLED = new RegExp(
  `${LOCAL} ?(?:[([{] ?at ?[)\\]}]| at |@) ?${LABEL}(?: ?(?:[([{] ?(?:dot|\\.) ?[)\\]}]| dot ) ?${LABEL}){0,3} ?(?:[([{] ?(?:dot|\\.) ?[)\\]}]| dot ) ?${NO_FILE}${TOP})`,
  "dgiu",
);

/** Start of a number that is no part of a longer one or of an address of a page. */
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

/** Any number after a word that says it is a phone's. */
const CALLED =
  /(?<![a-z])(?:(?:tele)?phone|telephone|tel|ph|cell(?:phone)?|mobile|fax|whatsapp|sms|signal|viber|telegram|contact|call(?:ed|ing)?|text(?:ed)?|dial(?:ed)?|ring|reach(?:ed)?)(?:[ .](?:number|no|is|was|at|on|me|us|him|her|them|his|the|my))*[\s:.#=-]{1,3}(\+?\(?\d(?:[ ./()-]{0,2}\d){6,14})(?![\w@]|[-./]\d)/dgi;

/** A date in digits, which may follow "called on". */
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})/;

/** @param isFound whether refused kinds were found there. */
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

/** Words that end a street's name and nothing else. */
const CLEAR =
  "street|avenue|ave|boulevard|blvd|lane|road|rd|parkway|pkwy|expressway|turnpike|terrace|crescent|highway|hwy";
/** Words that also end other names, so that the name must be written like one. */
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
/** Words that are no street's name. */
const OTHER =
  "(?:of|on|in|to|at|off|for|from|per|and|the|a|an|days?|weeks?|hours?|minutes?|months?|years?|times?|items?|units?|miles?|km|blocks?|orders?|boxes|pairs?|pcs|pieces|x|more|lane|way|by|with|is|was|were|other|different|usd|dollars?)";
const PLAIN_NAME = `(?!${OTHER} )[a-z\\d'.-]{2,20}`;

const STREETS: readonly RegExp[] = [
  new RegExp(`(${NUMBER}(?:,)?${UNIT}{1,4} (?:${CAPITAL})${TAIL}${CITY})`, "dgu"),
  new RegExp(
    `(${NUMBER} (?:(?:n|s|e|w|north|south|east|west)\\.? )?${PLAIN_NAME}(?: ${PLAIN_NAME})? (?:${CLEAR}|st)${TAIL})`,
    "dgiu",
  ),
  // All in capitals.
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
  // Hauptstrasse 12, Am Markt is not found.
  /(?<![\p{L}])(\p{Lu}[\p{L}-]{2,30}(?:stra\u00dfe|strasse|str\.|gasse|weg|platz|allee|straat|laan|gatan|vej)\.? \d{1,4} ?[a-z]?)(?![\p{L}\d])/dgu,
  // Calle Mayor 5, Via Roma, 12.
  /(?<![\p{L}])((?:Calle|C\/|Avenida|Avda\.?|Av\.|Rua|Via|Viale|Piazza|Corso|Ulica|ul\.) (?:(?:de|del|della|da|do|dos|das|la|las|los|di) ){0,2}\p{Lu}[\p{L}'-]{1,24}(?: (?:de |del |da )?\p{Lu}[\p{L}'-]{1,24}){0,2},? (?:n[\u00ba\u00b0.]? ?)?\d{1,5})(?!\d)/dgu,
];

/** Street addresses: a number with a street's name, and what follows of unit and city. */
function* findStreets(text: string): Generator<FoundPlace> {
  for (const pattern of STREETS) yield* matchesOf("street", pattern, text);
}
