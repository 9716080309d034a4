import type { MarkedTexts, Tier } from "./match.ts";
import { type NamedWord, namedWords } from "./name-terms.ts";
import { type FoldedText, foldWithOrigin } from "./normalise.ts";
import { isPart, type QueryAnalysis, type QueryWord } from "./query-analysis.ts";

/** Part of a text; `hit` marks what the search matched. Plain text, never markup. */
export interface Segment {
  readonly text: string;
  readonly hit: boolean;
}

/** The texts with marks, each as segments that join to the whole text. */
export interface Highlights {
  /** First and last name with a space between them. */
  readonly name?: readonly Segment[];
  readonly title?: readonly Segment[];
  readonly description?: readonly Segment[];
  readonly city?: readonly Segment[];
}

/** Start and end (exclusive) in UTF-16 units. */
type Range = readonly [number, number];

/** Limits how much of a text, and of a page's texts, is searched for marks, so that no page is slow. */
export class Excerpts {
  /** Number of characters searched in a text; the rest is shown without marks. */
  static readonly TEXT = 400;
  /** Number of folded characters searched in a page's texts; further texts are not marked. */
  static readonly PAGE = 40_000;

  /** Folded characters searched so far. */
  letters = 0;

  /** @param text a storable text. */
  fold(text: string): FoldedText {
    const left = Excerpts.PAGE - this.letters;
    const folded = foldWithOrigin(beginning(text, Math.min(Excerpts.TEXT, left)), left);
    this.letters += folded.folded.length;
    return folded;
  }
}

/** Returns the first characters of a text, without splitting one. */
function beginning(text: string, letters: number): string {
  if (text.length <= letters) return text;
  let end = Math.max(0, letters);
  while (end > 0 && /^[\p{M}\udc00-\udfff]/u.test(text.slice(end, end + 2))) end -= 1;
  return text.slice(0, end);
}

/**
 * Marks what each word of the query matched at the beginning of the texts: wherever it is written that way, even
 * inside words; in the name also words that are only similar, as `tiers` indicates.
 * @param document with `storable` texts, as an engine returns it.
 * @param words the document's `namedWords`.
 * @param excerpts of the page that the document is on.
 */
export function highlight(
  query: QueryAnalysis,
  document: MarkedTexts,
  tiers: readonly Tier[],
  words: readonly NamedWord[] = namedWords(document.first_name, document.last_name),
  excerpts: Excerpts = new Excerpts(),
): Highlights {
  const marked: { -readonly [K in keyof Highlights]: Highlights[K] } = {};
  const { first_name: first, last_name: last } = document;
  const alike = [
    ...alikeRanges(query, tiers, words, excerpts.fold(first), true),
    ...alikeRanges(query, tiers, words, excerpts.fold(last), false).map(
      ([start, end]): Range => [start + first.length + 1, end + first.length + 1],
    ),
  ];
  const name = marks(query, `${first} ${last}`, excerpts, alike);
  if (name) marked.name = name;
  for (const field of ["title", "description", "city"] as const) {
    const segments = marks(query, document[field], excerpts);
    if (segments) marked[field] = segments;
  }
  return marked;
}

/**
 * Returns the segments of a storable text, or undefined without a mark.
 * @param alike words of a name that are already marked.
 */
function marks(
  query: QueryAnalysis,
  text: string,
  excerpts: Excerpts,
  alike?: readonly Range[],
): Segment[] | undefined {
  const folded = excerpts.fold(text);
  const ranges = query.words.flatMap((word) => literalRanges(word, folded, alike !== undefined));
  return ranges.length + (alike?.length ?? 0) === 0
    ? undefined
    : segmentsOf(text, [...ranges, ...(alike ?? [])]);
}

/** Returns where the word occurs. Short words count only as whole words or, if a name has no such word, as initials. */
function literalRanges(word: QueryWord, text: FoldedText, isName: boolean): Range[] {
  const { length } = word.text;
  const isEdge = (at: number) => (text.folded[at] ?? " ") === " ";
  if (isPart(word)) return originsOf(text, placesOf(word.text, text.folded), length);
  const begins = placesOf(word.text, text.folded).filter((at) => isEdge(at - 1));
  const whole = begins.filter((at) => isEdge(at + length));
  const isInitial = isName && length === 1 && whole.length === 0;
  return originsOf(text, isInitial ? begins : whole, length);
}

function placesOf(word: string, folded: string): number[] {
  const places: number[] = [];
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) places.push(at);
  return places;
}

/** Returns the ranges of the original text for places in its folded form. Overlapping ranges are merged. */
function originsOf(text: FoldedText, places: readonly number[], length: number): Range[] {
  const ranges: Range[] = [];
  for (const at of places) {
    const [start, end] = originOf(text, at, length);
    const before = ranges.at(-1);
    if (before && start <= before[1]) ranges[ranges.length - 1] = [before[0], end];
    else ranges.push([start, end]);
  }
  return ranges;
}

/** Returns the words of a name that words of the query match without being spelled alike. */
function alikeRanges(
  query: QueryAnalysis,
  tiers: readonly Tier[],
  words: readonly NamedWord[],
  name: FoldedText,
  isGiven: boolean,
): Range[] {
  const stored = words.filter((word) => word.isGiven === isGiven);
  const places = [...name.folded.matchAll(/[^ ]+/g)];
  return query.words.flatMap((word, n): Range[] => {
    const tier = tiers[n];
    if (tier === undefined || tier === "name_part" || tier === "text") return [];
    const wanted = new Set(word[tier]);
    const isAlike = (at: number) => stored[at]?.terms[tier].some((term) => wanted.has(term));
    // If a name has several words, they are followed by all of them joined, which has no place of its own.
    const several = stored.length > 1 ? stored.length - 1 : stored.length;
    const found = places.slice(0, several).flatMap((place, at): Range[] => {
      return isAlike(at) ? [originOf(name, place.index, place[0].length)] : [];
    });
    if (found.length > 0 || stored.length < 2 || !isAlike(several)) return found;
    return places.length === 0 ? [] : [[0, name.ends.at(-1) ?? 0]];
  });
}

function originOf(text: FoldedText, at: number, length: number): Range {
  return [text.starts[at] ?? 0, text.ends[at + length - 1] ?? 0];
}

/** Cuts the text at the ranges, which may overlap and be in any order. */
function segmentsOf(text: string, ranges: readonly Range[]): Segment[] {
  const segments: Segment[] = [];
  let done = 0;
  let hit: Range | undefined;
  const push = (end: number, isHit: boolean) => {
    if (end > done) segments.push({ text: text.slice(done, end), hit: isHit });
    done = Math.max(done, end);
  };
  for (const range of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (hit && range[0] <= hit[1]) {
      hit = [hit[0], Math.max(hit[1], range[1])];
      continue;
    }
    if (hit) push(hit[1], true);
    push(range[0], false);
    hit = range;
  }
  if (hit) push(hit[1], true);
  push(text.length, false);
  return segments;
}
