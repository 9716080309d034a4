import { Compile } from "typebox/compile";
import type { Contact } from "#contracts/http/search-words.ts";
import { Email } from "#contracts/report/fields.ts";
import { normaliseEmail, normaliseName, normalisePhone } from "#search/matching.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";

const EMAIL = Compile(Email);
const isEmail = (text: string): boolean => EMAIL.Check(text);

/** Digits of a phone number; E.164 has at most fifteen. Longer ones are orders and parcels. */
const isPhoneLong = (text: string) => /^.{7,15}$/.test(text.replace(/\D/g, ""));

/** Digits, with the characters that people write between them. */
const PHONE = /^\+?[\d\s().\-/]{7,30}$/;

/**
 * A phone number beside other words. Only a prefix or an area code in parentheses tells one from an
 * order number.
 */
const PHONE_AMONG_WORDS = /(?:\+\d|\(\d{3}\))[\d\s().\-/]{6,28}\d/;

/** The blind index of a whole email address or phone number. */
export interface ContactQuery {
  readonly contact: Contact;
  readonly emailBlind?: string;
  readonly phoneBlind?: string;
  /** The other words as they were typed, and the same name in any order and spelling; absent without any. */
  readonly name?: { readonly text: string; readonly key: string };
}

/**
 * Looks for an email address or phone number in a free text. Only the whole value matches. If a part did,
 * a masked value could be guessed character by character.
 * @returns undefined when there is neither.
 */
export function contactQuery(q: string | undefined, blind: BlindIndexer): ContactQuery | undefined {
  const text = q?.trim() ?? "";
  const email = text.split(/[\s,;<>]+/).find(isEmail);
  if (email) return found("email", text, email, normaliseEmail(email), blind);
  const phone = PHONE.test(text) ? text : PHONE_AMONG_WORDS.exec(text)?.[0];
  return phone && isPhoneLong(phone)
    ? found("phone", text, phone, normalisePhone(phone, phoneCountry(phone)), blind)
    : undefined;
}

function found(
  contact: Contact,
  text: string,
  typed: string,
  value: string | undefined,
  blind: BlindIndexer,
): ContactQuery | undefined {
  if (value === undefined) return undefined;
  const rest = text.replace(typed, " ").trim();
  const key = normaliseName(rest).split(" ").sort().join(" ");
  return {
    contact,
    ...(contact === "email"
      ? { emailBlind: blind("email", value) }
      : { phoneBlind: blind("phone", value) }),
    ...(key ? { name: { text: rest, key } } : {}),
  };
}

/**
 * The country of a number without an international prefix. With a leading zero, ten digits are
 * Australian and all others British; without one, the number is North American.
 */
function phoneCountry(text: string): string {
  const digits = text.replace(/\D/g, "");
  if (!digits.startsWith("0")) return "US";
  return digits.length === 10 ? "AU" : "UK";
}
