import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";

/** A place in a text, in UTF-16 units; `end` is the first one after it. */
interface AbusivePlace {
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
const LETTER = /^\p{L}$/u;

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
