/** Somebody as a ranking of all time and a period count them. */
export interface Ranked {
  /** Reports of the period. */
  readonly reports: number;
  /** The fewest reports of all time that any of those looked at has; null when all were looked at. */
  readonly least: number | null;
}

/** How many of the ranking of all time are looked at, one try after the other. */
const TRIES = [100, 1000];

/**
 * Those with the most reports of a period. It looks at the first of the ranking of all time, which an index
 * keeps. Nobody behind them can have more reports in the period than of all time, so they are the
 * right ones as soon as the last of them has as many in the period as anybody behind has of all time.
 * Otherwise all reports of the period are read.
 * @param among counts the reports of the period of the first of the ranking, sorted by reports and
 *   then as the ranking is; `undefined` for everybody.
 */
export async function leading<Row extends Ranked>(
  most: number,
  among: (first: number | undefined) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  for (const first of TRIES) {
    const rows = await among(first);
    const least = rows[0]?.least;
    if (least === null) return rows.slice(0, most);
    const last = rows[most - 1];
    if (last && least !== undefined && last.reports >= least) return rows.slice(0, most);
  }
  return (await among(undefined)).slice(0, most);
}
