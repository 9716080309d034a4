import { doubleMetaphone } from "double-metaphone";
import { nicknameClasses } from "./nicknames.ts";
import { normaliseName, wordsOf } from "./normalise.ts";

/**
 * Terms that an index stores for a name and that a query looks up. Two words match in a certain way if they share
 * a term of that way. So an engine only compares strings for equality, and every engine finds the same people.
 * The prefix distinguishes the ways.
 */
export interface WordTerms {
  readonly exact: readonly string[];
  /** Classes of given names (Bob, Robert). */
  readonly nickname: readonly string[];
  readonly phonetic: readonly string[];
  /** The word with one or two letters left out. */
  readonly fuzzy: readonly string[];
}

/** Maximum length of a word in terms; the rest is ignored. */
const MAX_WORD = 100;

/** Maximum number of words of a given name or a surname that get terms. */
const MAX_NAME_WORDS = 12;

/** Returns the terms that are stored for a normalized word of a given name. */
export function storedTerms(word: string): WordTerms {
  const [first, second] = phoneticCodes(word.slice(0, MAX_WORD));
  return {
    ...spelledTerms(word),
    phonetic: [...(first ? [`p:${first}`] : []), ...(second ? [`q:${second}`] : [])],
  };
}

/** Returns the terms to look up for a normalized word. Equal second codes alone do not count as sounding alike. */
export function queryTerms(word: string): WordTerms {
  const [first, second] = phoneticCodes(word.slice(0, MAX_WORD));
  return {
    ...spelledTerms(word),
    phonetic: [...(first ? [`p:${first}`, `q:${first}`] : []), ...(second ? [`p:${second}`] : [])],
  };
}

function spelledTerms(word: string): Omit<WordTerms, "phonetic"> {
  const kept = word.slice(0, MAX_WORD);
  return {
    exact: [`n:${kept}`],
    nickname: nicknameClasses(kept).map((name) => `k:${name}`),
    fuzzy: typoVariants(kept).map((slip) => `d:${slip}`),
  };
}

/** A word of a person's name. */
export interface NamedWord {
  readonly isGiven: boolean;
  readonly terms: WordTerms;
}

/**
 * Returns the words of a person's name in order; each name's words are followed by all of them joined. Nicknames
 * count for given names only (the surname Jack is not John). A name of several words is also stored joined: "De
 * La Cruz" as "delacruz".
 */
export function namedWords(firstName: string, lastName: string): NamedWord[] {
  return [
    ...nameWords(firstName).map((word) => ({ isGiven: true, terms: storedTerms(word) })),
    ...nameWords(lastName).map((word) => ({
      isGiven: false,
      terms: { ...storedTerms(word), nickname: [] },
    })),
  ];
}

export function termsOf(words: readonly NamedWord[]): Set<string> {
  return new Set(
    words.flatMap(({ terms: { exact, nickname, phonetic, fuzzy } }) => [
      ...exact,
      ...nickname,
      ...phonetic,
      ...fuzzy,
    ]),
  );
}

export function nameTerms(firstName: string, lastName: string): string[] {
  return [...termsOf(namedWords(firstName, lastName))];
}

/** Returns the words of a name and, if there are several, all of them joined. */
export function nameWords(name: string): string[] {
  const words = wordsOf(normaliseName(name)).slice(0, MAX_NAME_WORDS);
  return words.length > 1 ? [...words, words.join("")] : words;
}

/**
 * Returns how a normalized word sounds: its Double Metaphone code, and its second code if it has one. Codes of up
 * to three sounds identify too little (John, Jane and Gina are all JN; Garcia, Cruz and Gross KRS), so the class
 * of the first vowel is added: Meyer still equals Maier, Jon John, Smith Schmidt, but Jane is separate. A second
 * code counts only from three sounds on.
 */
export function phoneticCodes(word: string): string[] {
  if (word.length < 2 || !/^[a-z]+$/.test(word)) return [];
  const [primary, secondary] = doubleMetaphone(word);
  const codes = new Set(secondary.length < 3 ? [primary] : [primary, secondary]);
  return [...codes].flatMap((code) => {
    if (code === "") return [];
    return code.length > 3 ? [code] : [`${code}-${vowelColor(word)}`];
  });
}

/** Returns the class of the first vowel: front (e, i, y; a before e, i, y or a silent e), back (o, u, au, aw), open. */
function vowelColor(word: string): "front" | "back" | "open" | "none" {
  const vowel = /[aeiou]|(?<!^)y/.exec(word);
  if (!vowel) return "none";
  const rest = word.slice(vowel.index);
  if (/^(?:[eiy]|a[eiy]|a[^aeiouy]e$)/.test(rest)) return "front";
  return /^(?:[ou]|a[uw])/.test(rest) ? "back" : "open";
}

/**
 * Returns the word with letters left out: none under four letters, one up to seven, two from eight to sixteen.
 * Two words that share one of these differ by at most that many typos: an extra letter, a missing one, a wrong
 * one, or two swapped. (Trigram similarity, the usual way, fails for short names: Smith and Smtih share a fifth
 * of their trigrams, and no two engines rank it alike.)
 */
export function typoVariants(word: string): string[] {
  if (word.length < 3 || word.length > 32 || !/^[a-z]+$/.test(word)) return [];
  const found = new Set([word]);
  if (word.length < 4) return [...found];
  const once = without(word);
  for (const shorter of once) found.add(shorter);
  if (word.length >= 8 && word.length <= 16) {
    for (const shorter of once) for (const shortest of without(shorter)) found.add(shortest);
  }
  return [...found];
}

/** Returns the word with each of its letters left out in turn. */
function without(word: string): string[] {
  return Array.from(word, (_, i) => word.slice(0, i) + word.slice(i + 1));
}

/** How a part of one person's name differs from that of another person. */
export interface NameDifference {
  readonly kind: "same" | "nickname" | "sounds_alike" | "letters" | "different";
  /** Number of letters that are added, left out, changed or swapped; absent if more than a few. */
  readonly letters?: number;
}

/** Longer names are not compared letter by letter. */
const MAX_NAME = 100;
const MAX_LETTERS = 3;

/**
 * Compares two names, ignoring case, accents and punctuation.
 * @param part only given names have nicknames.
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
