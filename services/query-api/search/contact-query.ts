import { Compile } from "typebox/compile";
import { Email } from "#contracts/report/fields.ts";
import { normaliseEmail, normalisePhone } from "#search/matching.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";

const EMAIL = Compile(Email);
const isEmail = (text: string): boolean => EMAIL.Check(text);

/** At least seven digits, with the characters that people write between them. */
const PHONE = /^\+?[\d\s().\-/]{7,30}$/;

/** The blind index of a whole e-mail address or phone number. */
export interface ContactQuery {
  readonly emailBlind?: string;
  readonly phoneBlind?: string;
}

/**
 * Looks a free text up as an e-mail address or phone number. Only the whole value matches. If a
 * part did, a masked value could be guessed character by character.
 * @returns undefined when the text is neither.
 */
export function contactQuery(q: string | undefined, blind: BlindIndexer): ContactQuery | undefined {
  const text = q?.trim() ?? "";
  if (isEmail(text)) {
    const email = normaliseEmail(text);
    return email === undefined ? undefined : { emailBlind: blind("email", email) };
  }
  if (!PHONE.test(text) || text.replace(/\D/g, "").length < 7) return undefined;
  const phone = normalisePhone(text, phoneCountry(text));
  return phone === undefined ? undefined : { phoneBlind: blind("phone", phone) };
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
