import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js";
import { normaliseText, wordsOf } from "./normalise.ts";

/**
 * One form for each identifier of a person, so that equal values have equal blind indexes however
 * they were typed. Each function returns undefined when nothing is left to compare: what people
 * type to get past a field (0000000000, none@none.com) must not join two namesakes.
 */

const NO_ADDRESS = /^(?:none?|na|n-?a|null|unknown|no-?(?:e-?)?mail|not-?(?:given|provided))$/;

/**
 * Trimmed, NFKC, lower case. Nothing is dropped: `a+b@` and `ab@` may belong to different people.
 */
export function normaliseEmail(email: string): string | undefined {
  const address = email.normalize("NFKC").trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || domain === "" || /\s/.test(address) || NO_ADDRESS.test(local)) return undefined;
  return address;
}

/**
 * The form in which the addresses of reporters and accounts are compared, and indexed as
 * `reporter_email`: their own, so even one that tells nobody apart counts.
 */
export function ownAddress(email: string): string {
  return normaliseEmail(email) ?? email.toLowerCase();
}

/**
 * E.164 without an extension. A number without a country prefix is read as one of `country`, an ISO
 * 3166 code or UK, by default US.
 */
export function normalisePhone(phone: string, country = "US"): string | undefined {
  const code = country.toUpperCase() === "UK" ? "GB" : country.toUpperCase();
  const region: CountryCode = isSupportedCountry(code) ? code : "US";
  const parsed = parsePhoneNumberFromString(phone.normalize("NFKC"), region);
  if (!parsed || parsed.nationalNumber.length < 7 || isOneDigit(parsed.nationalNumber)) {
    return undefined;
  }
  return parsed.number;
}

/** First six and last four digits; one part alone identifies too little. */
export function normaliseCard(first6?: string, last4?: string): string | undefined {
  const [first, last] = [digitsOf(first6), digitsOf(last4)];
  if (first.length !== 6 || last.length !== 4 || isOneDigit(first + last)) return undefined;
  return `${first}-${last}`;
}

/** Letters and digits, upper case, without leading zeros; at least four characters. */
export function normaliseAccount(account: string): string | undefined {
  const kept = account
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "");
  const significant = kept.replace(/^0+/, "");
  if (significant.length < 4 || !/\d/.test(significant) || isOneDigit(kept)) return undefined;
  return significant;
}

/** Words of an address with their USPS abbreviation (Publication 28), directions included. */
const STREET_WORDS: Readonly<Record<string, string>> = {
  alley: "aly",
  avenue: "ave",
  av: "ave",
  boulevard: "blvd",
  circle: "cir",
  court: "ct",
  crescent: "cres",
  drive: "dr",
  expressway: "expy",
  highway: "hwy",
  lane: "ln",
  mount: "mt",
  parkway: "pkwy",
  place: "pl",
  plaza: "plz",
  road: "rd",
  route: "rte",
  saint: "st",
  square: "sq",
  street: "st",
  str: "st",
  terrace: "ter",
  trail: "trl",
  turnpike: "tpke",
  north: "n",
  south: "s",
  east: "e",
  west: "w",
  northeast: "ne",
  northwest: "nw",
  southeast: "se",
  southwest: "sw",
};

/** Words that only introduce the number of a flat, which may also be written "#4". */
const UNIT_WORDS = new Set(["apartment", "apt", "flat", "no", "number", "suite", "ste", "unit"]);

/**
 * Street in USPS abbreviations and without "apt", with the ZIP (in the United States its first five
 * digits). Undefined for a street without a number: a ZIP alone identifies nobody.
 */
export function normaliseStreetZip(street: string, zip: string): string | undefined {
  const words = wordsOf(normaliseText(street))
    .filter((word) => !UNIT_WORDS.has(word))
    .map((word) => STREET_WORDS[word] ?? word);
  const code = normaliseText(zip).replaceAll(" ", "");
  const area = /^\d{9}$/.test(code) ? code.slice(0, 5) : code;
  const isStreet =
    words.some((word) => /\d/.test(word)) && words.some((word) => /[a-z]/.test(word));
  return isStreet && area.length >= 3 ? `${words.join(" ")}|${area}` : undefined;
}

function digitsOf(text: string | undefined): string {
  return (text ?? "").replace(/\D/g, "");
}

/** Whether the text is one character repeated. */
function isOneDigit(text: string): boolean {
  return new Set(text).size < 2;
}
