import type { SubmitReport } from "#contracts/http/reports.ts";

/** When a sample is sent, verified and decided, in milliseconds since 1970. */
export interface SampleTimes {
  readonly submittedMs: number;
  readonly verifiedMs: number;
  readonly decidedMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The first sample is this old, so that a chart of a year is filled. */
const OLDEST_DAYS = 355;
/** Hours that the samples wait for a decision, in turn. */
const WAITS = [3, 26, 7, 50, 12, 90, 1, 30, 140, 5, 18];
/** Days from the latest date in a sample to its submission, in turn. */
const LAGS = [4, 11, 18, 8, 15, 5, 12];

/**
 * The times of this many samples, oldest first, over the year before the moment: more and more of them
 * the nearer it is, and none after it. They are the same whenever they are computed.
 */
export function sampleTimes(count: number, nowMs: number): SampleTimes[] {
  return Array.from({ length: count }, (_, i) => {
    const left = 1 - (i + 0.5) / count;
    // Not all at the same time of day.
    const ageMs = OLDEST_DAYS * DAY_MS * left * left;
    const wait = (WAITS[i % WAITS.length] ?? 1) * HOUR_MS;
    const submittedMs = Math.floor(nowMs - ageMs);
    const decidedMs = Math.floor(submittedMs + Math.min(wait, ageMs * 0.6));
    return { submittedMs, verifiedMs: Math.floor((submittedMs * 2 + decidedMs) / 3), decidedMs };
  });
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The sample with all of its dates moved by the same days, so that the latest is a while before it is sent. */
export function movedBefore(
  report: SubmitReport,
  submittedMs: number,
  index: number,
): SubmitReport {
  const latest = Math.max(...datesIn(report));
  const lag = LAGS[index % LAGS.length] ?? 1;
  const days = Math.floor(submittedMs / DAY_MS) - lag - latest / DAY_MS;
  const move = (value: unknown): unknown => {
    if (typeof value === "string" && DATE.test(value))
      return new Date(Date.parse(value) + days * DAY_MS).toISOString().slice(0, 10);
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, move(each)]));
  };
  return move(report) as SubmitReport;
}

function datesIn(value: unknown): number[] {
  if (typeof value === "string") return DATE.test(value) ? [Date.parse(value)] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(datesIn);
}
