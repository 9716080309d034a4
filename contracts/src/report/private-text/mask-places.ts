import { maskAccount, maskEmail, maskPhone } from "../masks.ts";
import { findPrivateText, type PrivatePlace } from "./find-private-text.ts";
import type { PrivateKind } from "./found-place.ts";

/** Minimum number of letters and digits in a private text, so that masking it everywhere hides nothing else. */
export const MIN_CHARACTERS = 3;

const lettersAndDigits = (text: string): string[] => text.match(/[\p{L}\p{N}]/gu) ?? [];

/** Whether a text is long enough to be masked wherever it occurs. */
export function isMaskable(text: string): boolean {
  return lettersAndDigits(text).length >= MIN_CHARACTERS;
}

/** Masks of the report's own fields of that kind. */
const MASKS: Readonly<Partial<Record<PrivateKind, (value: string) => string>>> = {
  email: maskEmail,
  phone: maskPhone,
  iban: maskAccount,
  bank_account: maskAccount,
};

/**
 * Returns a mask that keeps the format of a private text: `q***@***`, `(***) ***-****`, an account's last four,
 * or `****`.
 */
function maskOf(text: string, kind: PrivateKind | undefined): string {
  return (kind && MASKS[kind]?.(text)) ?? "****";
}

/** Returns the text with a place masked. */
export function maskPlace(text: string, { kind, start, end }: PrivatePlace): string {
  return text.slice(0, start) + maskOf(text.slice(start, end), kind) + text.slice(end);
}

/** Returns a function that masks private texts regardless of spacing, but not inside a longer word or number. */
export function masker(privateTexts: readonly string[]): (text: string) => string {
  const longestFirst = privateTexts.filter(isMaskable).sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const groups = longestFirst.map((each) => `(${lettersAndDigits(each).join(BETWEEN)})`);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])([+(]{0,2})(?:${groups.join("|")})(?![\\p{L}\\p{N}])`,
    "giu",
  );
  return (text) =>
    text.replace(pattern, (match, opening: string, ...found: unknown[]) => {
      const masked = longestFirst[found.findIndex((group) => group !== undefined)] ?? "";
      const [place] = findPrivateText(masked, { own: [] });
      // "+1 303 555 0142", "(303) 555-0142": the opening plus and bracket belong to the number.
      const rest = match.slice(opening.length);
      const before = /^\p{N}/u.test(rest) ? opening.replace("+", "") : opening;
      const kept = /^[^(]*\)/.test(rest) ? before.replace("(", "") : before;
      return kept + maskOf(masked, place?.kind);
    });
}

const BETWEEN = "[^\\p{L}\\p{N}]{0,3}";
