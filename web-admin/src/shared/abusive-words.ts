import {
  englishDataset,
  englishRecommendedTransformers,
  type MatchPayload,
  RegExpMatcher,
} from "obscenity";

/** A place in a text, in UTF-16 units; `end` is the first one after it. */
export interface AbusivePlace {
  readonly start: number;
  readonly end: number;
}

/** Words that the list takes for others. */
const HARMLESS = ["shiitake", "niggard", "bich"];
/** Words of the list that are names too. Capitalized, they are not marked. */
const NAMES: ReadonlySet<string | undefined> = new Set(["dick", "dyke", "hooker", "semen"]);
/** What may follow a word of the list within the same word. */
const ENDING = /^(?:e?s|e?d|ers?|ing?|y|heads?|holes?|face)?$/i;
const CAPITALIZED = /^\p{Lu}\p{Ll}+$/u;
const LETTERS_AFTER = /^\p{L}*/u;

const dataset = englishDataset.addPhrase((phrase) =>
  HARMLESS.reduce((all, word) => all.addWhitelistedTerm(word), phrase),
);
let matcher: RegExpMatcher | undefined;

/**
 * Where a text has abusive words, for moderators to look at: nothing is refused for them. They are those of the
 * library's list, with its knowledge of longer words that only contain one ("Scunthorpe"). A capitalized word
 * that only begins like one is taken for a name ("Dickson").
 */
export function findAbusiveWords(text: string): readonly AbusivePlace[] {
  matcher ??= new RegExpMatcher({ ...dataset.build(), ...englishRecommendedTransformers });
  const places: AbusivePlace[] = [];
  for (const match of matcher.getAllMatches(text, true)) {
    const [start, end] = [match.startIndex, match.endIndex + 1];
    const isTaken = start < (places.at(-1)?.end ?? 0);
    if (!isTaken && !isName(text, match)) places.push({ start, end });
  }
  return places;
}

function isName(text: string, match: MatchPayload): boolean {
  const word = text.slice(match.startIndex, match.endIndex + 1);
  const isWithin = /\p{L}$/u.test(text.slice(Math.max(0, match.startIndex - 1), match.startIndex));
  const after = LETTERS_AFTER.exec(text.slice(match.endIndex + 1))?.[0] ?? "";
  if (isWithin || !CAPITALIZED.test(word + after)) return false;
  const { phraseMetadata } = dataset.getPayloadWithPhraseMetadata(match);
  return !ENDING.test(after) || NAMES.has(phraseMetadata?.originalWord);
}
