import { queryTerms, storedTerms } from "./name-terms.ts";
import { nicknameClasses } from "./nicknames.ts";
import { normaliseName, wordsOf } from "./normalise.ts";

/** How a part of one person's name differs from that of another. */
export interface NameDifference {
  readonly kind: "same" | "nickname" | "sounds_alike" | "letters" | "different";
  /** Letters that are added, left out, changed or swapped, if only a few. */
  readonly letters?: number;
}

/** Longer names are not compared letter by letter. */
const MAX_NAME = 100;
const MAX_LETTERS = 3;

/**
 * Compares two given names or two last names, ignoring case, accents and punctuation.
 * @param part nicknames are considered among given names only.
 */
export function nameDifference(a: string, b: string, part: "given" | "last"): NameDifference {
  const [one, other] = [normaliseName(a), normaliseName(b)];
  if (one === other && (one !== "" || a.trim() === b.trim())) return { kind: "same" };
  if (part === "given" && haveNickname(one, other)) return { kind: "nickname" };
  const isFar =
    Math.max(one.length, other.length) > MAX_NAME ||
    Math.abs(one.length - other.length) > MAX_LETTERS;
  const distance = isFar ? 0 : editDistance(one, other);
  const few = Math.min(MAX_LETTERS, Math.ceil(Math.max(one.length, other.length) / 3));
  const letters = distance > 0 && distance <= few ? { letters: distance } : {};
  if (soundAlike(one, other)) return { kind: "sounds_alike", ...letters };
  return { kind: "letters" in letters ? "letters" : "different", ...letters };
}

function haveNickname(one: string, other: string): boolean {
  const classes = new Set(wordsOf(one).flatMap(nicknameClasses));
  return wordsOf(other)
    .flatMap(nicknameClasses)
    .some((name) => classes.has(name));
}

function soundAlike(one: string, other: string): boolean {
  const [asked, stored] = [one, other].map((name) => name.replaceAll(" ", "")) as [string, string];
  const sounds = new Set(queryTerms(asked).phonetic);
  return storedTerms(stored).phonetic.some((sound) => sounds.has(sound));
}

/** Optimal string alignment: Levenshtein's distance, with a swap of two letters as one step. */
function editDistance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
