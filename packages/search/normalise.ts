import anyAscii from "any-ascii";

/** A text folded for comparison, with a mapping back to the original text. */
export interface FoldedText {
  /** Lower-case ASCII letters, digits and spaces. */
  readonly folded: string;
  /** For each character of `folded`, where its origin starts in the text... */
  readonly starts: readonly number[];
  /** ...and where it ends (exclusive), in UTF-16 units. */
  readonly ends: readonly number[];
}

/** A base character with the marks drawn on it, which must not be separated. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gsu;

/** Maximum length of a folded text: four characters for each of 10,000, since some fold to dozens (an emoji to 42). */
const MAX_FOLDED = 40_000;

/** Printable ASCII and line breaks. */
const ASCII = /^[\t\n\r -~]*$/;

/** Returns the text as the index stores it: NFC, without NUL and lone surrogates, which stores reject. */
export function storable(text: string): string {
  // Nearly every text is ASCII, which is already in that form.
  if (ASCII.test(text)) return text;
  return text.replaceAll("\0", "").toWellFormed().normalize("NFC");
}

/**
 * Returns the text as lower-case ASCII words (a to z, 0 to 9) separated by single spaces. Other scripts are
 * transliterated and accents dropped; apostrophes and periods are removed (O'Brien, J.R.); any other character
 * that is not a letter or digit separates words.
 */
export function normaliseText(text: string): string {
  return foldCharacters(storable(text)).slice(0, MAX_FOLDED).replace(/ +/g, " ").trim();
}

/** Returns a given name or surname in the form in which names are compared. */
export function normaliseName(name: string): string {
  return normaliseText(name);
}

/** Returns the words of a normalized text; none if it is empty. */
export function wordsOf(normalised: string): string[] {
  return normalised === "" ? [] : normalised.split(" ");
}

/**
 * Folds a `storable` text and records where each character came from.
 * @param most maximum number of characters to produce.
 */
export function foldWithOrigin(text: string, most = Number.POSITIVE_INFINITY): FoldedText {
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const match of text.matchAll(CLUSTER)) {
    const part = foldCharacters(match[0]);
    if (folded.length + part.length > most) break;
    folded += part;
    for (let i = 0; i < part.length; i++) {
      starts.push(match.index);
      ends.push(match.index + match[0].length);
    }
  }
  return { folded, starts, ends };
}

/** Folds character by character, without context, so that folding parts and joining them gives the same result. */
function foldCharacters(text: string): string {
  return (ASCII.test(text) ? text : anyAscii(text))
    .toLowerCase()
    .replace(/['`.]/g, "")
    .replace(/[^a-z0-9]/g, " ");
}
