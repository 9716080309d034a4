import { maskEmail, maskPhone } from "../masks.ts";
import { findPrivateText } from "./find-private-text.ts";

/** A private text must have as many letters and digits, so that masking it everywhere hides nothing else. */
export const FEWEST_CHARACTERS = 3;

const lettersAndDigits = (text: string): string[] => text.match(/[\p{L}\p{N}]/gu) ?? [];

/** Whether a text is long enough to be masked wherever it stands. */
export function isMaskable(text: string): boolean {
  return lettersAndDigits(text).length >= FEWEST_CHARACTERS;
}

/** A mask that keeps the shape of a private text: `q***@***`, `(***) ***-****`, else `****`. */
export function maskOf(text: string): string {
  const [place] = findPrivateText(text, { own: [] });
  if (place?.kind === "email") return maskEmail(text);
  return place?.kind === "phone" ? maskPhone(text) : "****";
}

/**
 * Masks private texts wherever a text has them, however their letters and digits are spaced, but not where they
 * are part of a longer word or number.
 */
export function masker(privateTexts: readonly string[]): (text: string) => string {
  const longestFirst = privateTexts.filter(isMaskable).sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const groups = longestFirst.map((each) => `(${lettersAndDigits(each).join(BETWEEN)})`);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(\\(?)(?:${groups.join("|")})(?![\\p{L}\\p{N}])`,
    "giu",
  );
  return (text) =>
    text.replace(pattern, (match, opening: string, ...found: unknown[]) => {
      const mask = maskOf(longestFirst[found.findIndex((group) => group !== undefined)] ?? "");
      // "(303) 555-0142": the opening bracket belongs to the number.
      return match.slice(opening.length).includes(")") ? mask : opening + mask;
    });
}

const BETWEEN = "[^\\p{L}\\p{N}]{0,3}";
