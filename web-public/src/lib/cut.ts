import type { Static } from "typebox";
import type { Segment } from "#contracts/http/report-view.ts";

export type TextSegment = Static<typeof Segment>;

const ELLIPSIS = "…";

/** The first `length` characters (code points) and an ellipsis, or the whole text if it fits. */
export function cut(text: string, length: number): string {
  const points = Array.from(text);
  if (points.length <= length) return text;
  return points.slice(0, length).join("").trimEnd() + ELLIPSIS;
}

/**
 * The same for a marked text. A text whose first mark lies beyond `length` is shown from shortly
 * before it, so that the reader sees why it was found.
 */
export function cutSegments(segments: readonly TextSegment[], length: number): TextSegment[] {
  const points = segments.flatMap(({ text, hit }) => Array.from(text, (point) => ({ point, hit })));
  if (points.length <= length) return segments.filter((segment) => segment.text !== "");
  const firstHit = points.findIndex(({ hit }) => hit);
  const hitEnd = firstHit < 0 ? 0 : points.findIndex(({ hit }, i) => i > firstHit && !hit);
  const wanted = (hitEnd < 0 ? points.length : hitEnd) > length ? firstHit - LEAD : 0;
  const from = Math.max(0, Math.min(wanted, points.length - length));
  const shown = points.slice(from, from + length);
  const result: TextSegment[] = [];
  if (from > 0) result.push({ text: ELLIPSIS, hit: false });
  for (const { point, hit } of shown) {
    const last = result.at(-1);
    if (last && last.hit === hit) last.text += point;
    else result.push({ text: point, hit });
  }
  if (from + length < points.length) result.push({ text: ELLIPSIS, hit: false });
  return result;
}

/** Characters shown before the first mark of a text that is not shown from its beginning. */
const LEAD = 30;
