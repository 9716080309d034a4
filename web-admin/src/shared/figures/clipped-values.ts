/** A value so many times the median is far off. */
const FAR = 10;
/** With fewer values nothing is far off. */
const LEAST_VALUES = 3;
/** Room above the highest value that is shown whole. */
const ROOM = 1.2;

/**
 * Where an axis ends, so that a few values far above the others do not flatten them.
 * @returns undefined where no value is cut off.
 */
export function axisEnd(values: readonly (number | null)[]): number | undefined {
  const sorted = values.flatMap((value) => value || []).sort((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (sorted.length < LEAST_VALUES || median === undefined) return undefined;
  const highest = sorted.findLast((value) => value <= median * FAR) ?? median;
  const end = highest * ROOM;
  return (sorted.at(-1) ?? 0) > highest * 2 ? end : undefined;
}

/** At most so many values that are cut off are named. */
const MOST_NAMED = 3;

/** "Too tall to show in full: Nov 3, $9,999,999.00; Nov 4, $1,000,000.00." Undefined where none is. */
export function clippedWords(
  end: number | undefined,
  points: readonly string[],
  series: readonly (readonly (number | null)[])[],
  format: (value: number) => string,
): string | undefined {
  if (end === undefined) return undefined;
  const cut = series.flatMap((values) =>
    values.flatMap((value, i) =>
      value !== null && value > end ? [`${points[i]}, ${format(value)}`] : [],
    ),
  );
  const more = cut.length > MOST_NAMED ? ` and ${cut.length - MOST_NAMED} more` : "";
  return `Too tall to show in full: ${cut.slice(0, MOST_NAMED).join("; ")}${more}.`;
}
