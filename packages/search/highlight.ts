import type { SearchableText, Tier } from "./match.ts";
import { nameWords, storedTerms } from "./name-terms.ts";
import { type FoldedText, foldWithOrigin, storable, wordsOf } from "./normalise.ts";
import type { QueryAnalysis, QueryWord } from "./query-analysis.ts";

/** Part of a text; `hit` marks what the search matched. Plain text, never markup. */
export interface Segment {
  readonly text: string;
  readonly hit: boolean;
}

/** The texts in which something is marked, each in segments that join to the whole text. */
export interface Highlights {
  /** First and last name with a space between them. */
  readonly name?: readonly Segment[];
  readonly title?: readonly Segment[];
  readonly description?: readonly Segment[];
  readonly city?: readonly Segment[];
}

/** Start and end (exclusive) in UTF-16 units. */
type Range = readonly [number, number];

/**
 * Marks what each word of the query matched: wherever it stands as it is written, also inside
 * words, and in the name also the words that are only alike, in the way that `tiers` says.
 */
export function highlight(
  query: QueryAnalysis,
  document: SearchableText,
  tiers: readonly Tier[],
): Highlights {
  const marked: { -readonly [K in keyof Highlights]: Highlights[K] } = {};
  const names = [storable(document.first_name), storable(document.last_name)] as const;
  const alike = query.words.flatMap((word, i) => alikeRanges(word, tiers[i], names));
  const name = marks(query, names.join(" "), alike);
  if (name) marked.name = name;
  for (const field of ["title", "description", "city"] as const) {
    const segments = marks(query, storable(document[field]), []);
    if (segments) marked[field] = segments;
  }
  return marked;
}

/** The segments of a storable text; undefined when nothing in it is marked. */
function marks(query: QueryAnalysis, text: string, more: readonly Range[]): Segment[] | undefined {
  const folded = foldWithOrigin(text);
  const ranges = [...query.words.flatMap((word) => literalRanges(word.text, folded)), ...more];
  return ranges.length === 0 ? undefined : segmentsOf(text, ranges);
}

/** Where the word stands; one or two letters are marked as whole words where they are whole. */
function literalRanges(word: string, text: FoldedText): Range[] {
  const places: number[] = [];
  for (let at = text.folded.indexOf(word); at >= 0; at = text.folded.indexOf(word, at + 1)) {
    places.push(at);
  }
  const isEdge = (at: number) => (text.folded[at] ?? " ") === " ";
  const whole =
    word.length < 3 ? places.filter((at) => isEdge(at - 1) && isEdge(at + word.length)) : [];
  return (whole.length > 0 ? whole : places).map((at) => originOf(text, at, word.length));
}

/** The words of the name that the query's word matches without being written like it. */
function alikeRanges(
  word: QueryWord,
  tier: Tier | undefined,
  [first, last]: readonly [string, string],
): Range[] {
  if (tier === undefined || tier === "name_part" || tier === "text") return [];
  const wanted = new Set(word[tier]);
  const isAlike = (candidate: string) => storedTerms(candidate)[tier].some((t) => wanted.has(t));
  return [
    ...alikeWords(first, 0, isAlike),
    ...(tier === "nickname" ? [] : alikeWords(last, first.length + 1, isAlike)),
  ];
}

function alikeWords(name: string, offset: number, isAlike: (word: string) => boolean): Range[] {
  const folded = foldWithOrigin(name);
  const found: Range[] = [];
  for (const match of folded.folded.matchAll(/[^ ]+/g)) {
    if (!isAlike(match[0])) continue;
    const [start, end] = originOf(folded, match.index, match[0].length);
    found.push([start + offset, end + offset]);
  }
  const joined = nameWords(name).at(-1);
  const isSeveral = wordsOf(folded.folded.trim()).length > 1;
  if (found.length === 0 && isSeveral && joined !== undefined && isAlike(joined)) {
    found.push([offset, offset + name.length]);
  }
  return found;
}

function originOf(text: FoldedText, at: number, length: number): Range {
  return [text.starts[at] ?? 0, text.ends[at + length - 1] ?? 0];
}

/** Cuts the text at the ranges, which may overlap and stand in any order. */
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
