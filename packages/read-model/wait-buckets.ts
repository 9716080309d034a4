/**
 * Histogram of how long reports waited for a decision. Buckets are a minute wide at first, and later at most a
 * tenth of their upper bound, so a percentile read from them is at most 5% off.
 *
 * The bounds are whole minutes, computed from each other by integer arithmetic: a wait falls into the same bucket
 * on every machine, which adding and subtracting counts requires.
 */
const BOUNDS: readonly number[] = boundsUpTo(20 * 366 * 24 * 60);

const MINUTE_MS = 60_000;

function boundsUpTo(minutes: number): number[] {
  const bounds = [1];
  for (let last = 1; last < minutes; ) {
    last = Math.max(last + 1, Math.floor((last * 11) / 10));
    bounds.push(last);
  }
  return bounds;
}

/** Returns the number of the bucket for a wait. Anything below a minute is in the first. */
export function waitBucket(ms: number): number {
  const minutes = Math.ceil(ms / MINUTE_MS);
  let [low, high] = [0, BOUNDS.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((BOUNDS[middle] as number) < minutes) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of reports in a bucket. */
export interface BucketCount {
  readonly bucket: number;
  readonly reports: number;
}

/**
 * Returns the minutes that a share of the reports did not exceed (nearest rank), or null without reports.
 * @param share 0.5 for the median.
 */
export function waitAt(share: number, counts: readonly BucketCount[]): number | null {
  const sorted = counts.toSorted((a, b) => a.bucket - b.bucket);
  const all = sorted.reduce((sum, { reports }) => sum + reports, 0);
  if (all === 0) return null;
  const rank = Math.max(1, Math.ceil(share * all));
  let seen = 0;
  const found = sorted.find(({ reports }) => {
    seen += reports;
    return seen >= rank;
  });
  const bucket = found?.bucket ?? 0;
  const [lowest, highest] = [(BOUNDS[bucket - 1] ?? 0) + 1, BOUNDS[bucket] ?? 1];
  return (lowest + highest) / 2;
}
