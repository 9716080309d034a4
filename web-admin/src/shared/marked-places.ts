import { findPrivateText } from "#contracts/report/private-text/find-private-text.ts";
import { placeLabel } from "#contracts/report/private-text/private-texts.ts";
import { findAbusiveWords } from "./abusive-words.ts";

/** A place in a text, in UTF-16 units, and what moderators read beside it. */
interface MarkedPlace {
  readonly start: number;
  /** The first unit after it. */
  readonly end: number;
  readonly label: string;
}

/**
 * What looks private in a text, and its abusive words, in the order of the text. Places do not overlap.
 * @param own the numbers of the report's own orders and parcels.
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
