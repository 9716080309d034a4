import type { TextSegment } from "../lib/cut.ts";
import { cutSegments } from "../lib/cut.ts";

/** A text cut to `length` characters, with the matches of the search highlighted. */
export function Marked(props: {
  text: string;
  segments?: readonly TextSegment[] | undefined;
  length?: number;
}) {
  const segments = props.segments ?? [{ text: props.text, hit: false }];
  return cutSegments(segments, props.length ?? Number.POSITIVE_INFINITY).map((segment, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
    segment.hit ? <mark key={i}>{segment.text}</mark> : segment.text,
  );
}
