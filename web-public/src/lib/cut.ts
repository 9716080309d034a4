import type { Static } from "typebox";
import type { Segment } from "#contracts/http/report-view.ts";

export type TextSegment = Static<typeof Segment>;

const ELLIPSIS = "…";

/**
 * Truncates a text to at most `length` characters (code points) at a word boundary, and adds an ellipsis. Returns
 * shorter texts unchanged.
 */
export function cut(text: string, length: number): string {
  const points = Array.from(text);
  if (points.length <= length) return text;
  return points.slice(0, wordEnd(points, length, Math.ceil(length / 2))).join("") + ELLIPSIS;
}

/**
 * Like `cut`, for text with highlights. If the first highlight is beyond `length`, the result starts shortly
 * before it, so that the reader sees why the text matched.
 */
export function cutSegments(segments: readonly TextSegment[], length: number): TextSegment[] {
  const points = segments.flatMap(({ text, hit }) => Array.from(text, (point) => ({ point, hit })));
  if (points.length <= length) return segments.filter((segment) => segment.text !== "");
  const firstHit = points.findIndex(({ hit }) => hit);
  const hitEnd = firstHit < 0 ? 0 : points.findIndex(({ hit }, i) => i > firstHit && !hit);
  const wanted = (hitEnd < 0 ? points.length : hitEnd) > length ? firstHit - LEAD : 0;
  const first = Math.max(0, Math.min(wanted, points.length - length));
  const last = first + length;
  const texts = points.map(({ point }) => point);
  const from = wordStart(texts, first, firstHit < 0 ? last : firstHit);
  const atLeast = Math.max(first + Math.ceil(length / 2), hitEnd < 0 ? 0 : hitEnd);
  const to = hitEnd < 0 && firstHit >= 0 ? last : wordEnd(texts, last, Math.min(atLeast, last));
  const shown = points.slice(from, to);
  const result: TextSegment[] = [];
  if (from > 0) result.push({ text: ELLIPSIS, hit: false });
  for (const { point, hit } of shown) {
    const last = result.at(-1);
    if (last && last.hit === hit) last.text += point;
    else result.push({ text: point, hit });
  }
  if (to < points.length) result.push({ text: ELLIPSIS, hit: false });
  return result;
}

const SPACE = /\s/u;
/** Characters that would look odd before an ellipsis. */
const LOOSE = /[\s,;:.–—-]/u;

/**
 * Returns the end of the last word that is complete before `end`, without trailing punctuation; `end` if no word
 * ends after `atLeast`.
 */
function wordEnd(points: readonly string[], end: number, atLeast: number): number {
  if (end >= points.length) return points.length;
  let to = end;
  while (to > atLeast && !SPACE.test(points[to] ?? "")) to--;
  if (!SPACE.test(points[to] ?? "")) to = end;
  while (to > atLeast && LOOSE.test(points[to - 1] ?? "")) to--;
  return to;
}

/** Returns the start of the first word at or after `start`; `start` if none starts before `limit`. */
function wordStart(points: readonly string[], start: number, limit: number): number {
  if (start === 0) return 0;
  for (let from = start; from <= limit; from++)
    if (SPACE.test(points[from - 1] ?? "") && !SPACE.test(points[from] ?? "")) return from;
  return start;
}

/** Characters shown before the first highlight if the text's beginning is cut off. */
const LEAD = 30;
