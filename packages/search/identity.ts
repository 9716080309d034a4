import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js";
import { normaliseName, normaliseText, wordsOf } from "./normalise.ts";

/**
 * Identifiers of which two reports must share one, besides the name, to be about the same person: blind indexes
 * (keyed hashes) of normalized values. A report may have several of one kind, such as the cards of its additional
 * chargebacks.
 */
export const IDENTIFIERS = ["email", "phone", "card", "bank_account", "street_zip"] as const;
export type Identifier = (typeof IDENTIFIERS)[number];
export type BlindIndexes = { readonly [K in Identifier]?: readonly string[] | undefined };

export interface NamedReport {
  readonly first_name: string;
  readonly last_name: string;
  readonly blind: BlindIndexes;
}

/**
 * Returns the normalized first and last name; undefined if either is empty. Equal keys alone never mean the same
 * person.
 */
export function personNameKey(firstName: string, lastName: string): string | undefined {
  const first = normaliseName(firstName);
  const last = normaliseName(lastName);
  return first === "" || last === "" ? undefined : `${first}|${last}`;
}

/** Someone known to the registry, such as the owner of an account. */
export interface KnownPerson {
  readonly first_name: string;
  readonly last_name: string;
  /** Blind indexes of addresses that are or were certainly theirs, in the form used for the reported person. */
  readonly emails: readonly string[];
}

/** Returns the addresses in the form of {@link KnownPerson}, without those that identify no one. */
export function blindEmails(
  addresses: readonly string[],
  blind: (field: Identifier, normalised: string) => string,
): string[] {
  return addresses.flatMap((address) => {
    const normalised = normaliseEmail(address);
    return normalised === undefined ? [] : [blind("email", normalised)];
  });
}

/** Whether a report may be about someone, by address or full name. Enough to keep them away from it, but not proof. */
export function mayName(
  report: NamedReport,
  { first_name, last_name, emails }: KnownPerson,
): boolean {
  if (report.blind.email?.some((email) => emails.includes(email))) return true;
  const name = personNameKey(first_name, last_name);
  return name !== undefined && name === personNameKey(report.first_name, report.last_name);
}

/**
 * Returns the keys of a report. Two reports that share a key are about the same person, because each key holds
 * the full name and one identifier. Without an identifier there are none. The keys name a person: keep them only
 * where names may be kept, and delete them with the report.
 */
export function identityKeys(report: NamedReport): string[] {
  const name = personNameKey(report.first_name, report.last_name);
  if (name === undefined) return [];
  return identifierKeys(report.blind).map((key) => `${name}|${key}`);
}

/** Returns the keys of a report's identifiers. Two reports that share one may be about the same person. */
export function identifierKeys(blind: BlindIndexes): string[] {
  const keys = new Set<string>();
  for (const identifier of IDENTIFIERS) {
    for (const hash of blind[identifier] ?? []) if (hash !== "") keys.add(`${identifier}|${hash}`);
  }
  return [...keys];
}

/** Returns the kind of identifier that a key of either form holds, which is what two reports share. */
export function identifierOfKey(key: string): Identifier | undefined {
  const kind = key.split("|").at(-2);
  return IDENTIFIERS.find((identifier) => identifier === kind);
}

/** Labels for what reports about one person have in common. */
const SHARED: Readonly<Record<Identifier, string>> = {
  email: "email",
  phone: "phone",
  card: "card",
  bank_account: "bank account",
  street_zip: "street and ZIP",
};

/** Returns what at least two of the lists of keys have in common, as labels in a fixed order. */
export function sharesOf(keyLists: Iterable<readonly string[]>): string[] {
  const seen = new Set<string>();
  const kinds = new Set<string>();
  for (const keys of keyLists) {
    for (const key of keys) {
      const kind = identifierOfKey(key);
      if (kind && seen.has(key)) kinds.add(kind);
      seen.add(key);
    }
  }
  return IDENTIFIERS.filter((kind) => kinds.has(kind)).map((kind) => SHARED[kind]);
}

/** Returns the kinds that both lists of keys hold without a common value, as labels in the same order. */
export function differencesOf(left: readonly string[], right: readonly string[]): string[] {
  const [ones, others] = [left, right].map((keys) => new Set(keys.map(identifierOfKey)));
  const shared = sharesOf([left, right]);
  return IDENTIFIERS.filter((kind) => ones?.has(kind) && others?.has(kind))
    .map((kind) => SHARED[kind])
    .filter((words) => !shared.includes(words));
}

export interface KeyedReport {
  readonly id: string;
  readonly keys: readonly string[];
}

/**
 * Groups reports by person: reports that share a key belong together, transitively. Every report is
 * in exactly one group, possibly alone. The order of the input does not matter: ids are sorted
 * within a group, and groups by their first id.
 */
export function connectedGroups(reports: Iterable<KeyedReport>): string[][] {
  const parents = new Map<string, string>();
  const holders = new Map<string, string>();
  const root = (id: string): string => {
    let at = id;
    for (let up = parents.get(at) ?? at; up !== at; up = parents.get(at) ?? at) {
      parents.set(at, parents.get(up) ?? up);
      at = up;
    }
    return at;
  };
  for (const { id, keys } of reports) {
    if (!parents.has(id)) parents.set(id, id);
    for (const key of keys) {
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, id);
      else parents.set(root(id), root(holder));
    }
  }
  const groups = new Map<string, string[]>();
  for (const id of parents.keys()) {
    const group = groups.get(root(id));
    if (group) group.push(id);
    else groups.set(root(id), [id]);
  }
  const sorted = [...groups.values()].map((group) => group.sort());
  return sorted.sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
}

/**
 * Normalized forms of a person's identifiers, so that equal values have equal blind indexes however they were
 * typed. Each function returns undefined if nothing is left to compare: filler values (0000000000, none@none.com)
 * must not join two namesakes.
 */

const NO_ADDRESS = /^(?:none?|na|n-?a|null|unknown|no-?(?:e-?)?mail|not-?(?:given|provided))$/;

/**
 * Returns the address trimmed, in NFKC and lower case. Nothing is dropped: `a+b@` and `ab@` may belong to
 * different people.
 */
export function normaliseEmail(email: string): string | undefined {
  const address = email.normalize("NFKC").trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || domain === "" || /\s/.test(address) || NO_ADDRESS.test(local)) return undefined;
  return address;
}

/** Returns the form in which addresses of reporters and accounts are compared, and indexed as `reporter_email`. */
export function ownAddress(email: string): string {
  return normaliseEmail(email) ?? email.toLowerCase();
}

/** Returns the number in E.164 without an extension, parsed as a number of `country` (ISO 3166, or UK). */
export function normalisePhone(phone: string, country = "US"): string | undefined {
  const code = country.toUpperCase() === "UK" ? "GB" : country.toUpperCase();
  const region: CountryCode = isSupportedCountry(code) ? code : "US";
  const parsed = parsePhoneNumberFromString(phone.normalize("NFKC"), region);
  if (!parsed || parsed.nationalNumber.length < 7 || isOneDigit(parsed.nationalNumber)) {
    return undefined;
  }
  return parsed.number;
}

/** Returns the first six and last four digits; one part alone identifies too little. */
export function normaliseCard(first6?: string, last4?: string): string | undefined {
  const [first, last] = [digitsOf(first6), digitsOf(last4)];
  if (first.length !== 6 || last.length !== 4 || isOneDigit(first + last)) return undefined;
  return `${first}-${last}`;
}

/** Returns letters and digits in upper case, without leading zeros; at least four characters. */
export function normaliseAccount(account: string): string | undefined {
  const kept = account
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "");
  const significant = kept.replace(/^0+/, "");
  if (significant.length < 4 || !/\d/.test(significant) || isOneDigit(kept)) return undefined;
  return significant;
}

/** Words of an address with their USPS abbreviations (Publication 28), including directions. */
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

/** Words that only introduce a unit number, which may also be written "#4". */
const UNIT_WORDS = new Set(["apartment", "apt", "flat", "no", "number", "suite", "ste", "unit"]);

/** Returns the street in USPS abbreviations with the ZIP (five digits in the US), or undefined without a number. */
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
