import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";

/** A range of a text, in UTF-16 units; `end` is exclusive. */
interface AbusivePlace {
  readonly start: number;
  readonly end: number;
}

/** Harmless words that the list would match. */
const HARMLESS = ["shiitake", "niggard", "bich"];
/** Listed words that are also names. They are not marked if capitalized. */
const NAMES: ReadonlySet<string | undefined> = new Set(["dick", "dyke", "hooker", "semen"]);
/** Suffixes that may follow a listed word within the same word. */
const ENDING = /^(?:e?s|e?d|ers?|ing?|y|heads?|holes?|face)?$/i;
const CAPITALIZED = /^\p{Lu}\p{Ll}+$/u;
const LETTER = /^\p{L}$/u;

const dataset = englishDataset.addPhrase((phrase) =>
  HARMLESS.reduce((all, word) => all.addWhitelistedTerm(word), phrase),
);
let matcher: RegExpMatcher | undefined;

/**
 * Finds abusive words in a text to point them out to moderators; nothing is rejected for them. Uses the library's
 * list and its exceptions for longer words that merely contain one ("Scunthorpe"). A capitalized word that only
 * begins with one is assumed to be a name ("Dickson").
 */
export function findAbusiveWords(text: string): readonly AbusivePlace[] {
  matcher ??= new RegExpMatcher({ ...dataset.build(), ...englishRecommendedTransformers });
  const places: AbusivePlace[] = [];
  let last = 0;
  for (const match of matcher.getAllMatches(text, true)) {
    const [from, to] = [match.startIndex, match.endIndex + 1];
    if (from < last) continue;
    let start = from;
    while (start > last && LETTER.test(text.charAt(start - 1))) start--;
    let end = to;
    while (LETTER.test(text.charAt(end))) end++;
    last = end;
    const { phraseMetadata } = dataset.getPayloadWithPhraseMetadata(match);
    const ending = text.slice(to, end);
    const isName =
      start === from &&
      CAPITALIZED.test(text.slice(start, end)) &&
      (!ENDING.test(ending) || NAMES.has(phraseMetadata?.originalWord));
    if (!isName) places.push({ start, end });
  }
  return places;
}
