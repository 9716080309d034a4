import { Compile } from "typebox/compile";
import { Email } from "#contracts/report/fields.ts";
import { normaliseEmail, normalisePhone } from "#search/matching.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";

const EMAIL = Compile(Email);
const isEmail = (text: string): boolean => EMAIL.Check(text);

/** Digits and the signs that people write between them, seven digits at least. */
const PHONE = /^\+?[\d\s().\-/]{7,30}$/;

/** The blind index of a whole e-mail address or phone number. */
export interface ContactQuery {
  readonly emailBlind?: string;
  readonly phoneBlind?: string;
}

/**
 * What a free text finds beside its words: the reports that name this very address or number. A
 * part of either finds nothing, or masks could be completed letter by letter.
 * @param phones whether the caller may look phone numbers up.
 * @returns undefined when the text is neither.
 */
export function contactQuery(
  q: string | undefined,
  phones: boolean,
  blind: BlindIndexer,
): ContactQuery | undefined {
  const text = q?.trim() ?? "";
  if (isEmail(text)) {
    const email = normaliseEmail(text);
    return email === undefined ? undefined : { emailBlind: blind("email", email) };
  }
  if (!phones || !PHONE.test(text) || text.replace(/\D/g, "").length < 7) return undefined;
  const phone = normalisePhone(text, phoneCountry(text));
  return phone === undefined ? undefined : { phoneBlind: blind("phone", phone) };
}

/**
 * The country whose way of writing it a number without a prefix has: with the leading zero, eleven
 * digits are British and ten Australian; the rest is North American.
 */
function phoneCountry(text: string): string {
  const digits = text.replace(/\D/g, "");
  if (!digits.startsWith("0")) return "US";
  return digits.length === 10 ? "AU" : "UK";
}
