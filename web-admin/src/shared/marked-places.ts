import { findPrivateText } from "#contracts/report/private-text/find-private-text.ts";
import { placeLabel } from "#contracts/report/private-text/private-texts.ts";
import { findAbusiveWords } from "./abusive-words.ts";

/** A range of a text in UTF-16 units, with its label for moderators. */
interface MarkedPlace {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly label: string;
}

/**
 * Finds private-looking text and abusive words, in text order and without overlaps.
 * @param own the report's own order and tracking numbers.
 */
export function markedPlaces(text: string, own: readonly string[]): readonly MarkedPlace[] {
  const hidden = findPrivateText(text, { own }).map((place) => ({
    start: place.start,
    end: place.end,
    label: placeLabel(place),
  }));
  const abusive = findAbusiveWords(text)
    .filter(({ start, end }) => !hidden.some((each) => each.start < end && start < each.end))
    .map((place) => ({ ...place, label: "abusive word" }));
  return [...hidden, ...abusive].sort((a, b) => a.start - b.start);
}
