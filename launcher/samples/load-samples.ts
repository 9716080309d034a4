import type { SubmitReport } from "#contracts/http/reports.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import { type SampleReport, sampleReports } from "./sample-reports.ts";

/** Sends one request to the command side as a sample. Resolves with the status and body. */
export type SampleCall = (request: {
  readonly method: "POST";
  readonly url: string;
  readonly body: object;
  /** Whether a moderator sends it, rather than a visitor. */
  readonly moderator: boolean;
  readonly idempotencyKey: string;
  /** When it happened, RFC 3339. */
  readonly at: string;
}) => Promise<{ readonly status: number; readonly body: unknown }>;

/** One command about a sample, and when it happened. */
interface Step {
  readonly atMs: number;
  /** @param id the sample's report, once it was submitted. */
  run(id: string | undefined): Promise<string | undefined>;
  readonly sample: string;
}

/**
 * Sends every sample through the API, spread over the year before a moment, in the order of their times
 * and each command under a fixed key. If it is interrupted, the next run continues where it stopped,
 * without duplicates, as long as the moment is the same.
 * @returns how many reports are in the log.
 */
export async function loadSamples(call: SampleCall, moment: Date): Promise<number> {
  const times = sampleTimes(sampleReports.length, moment.getTime());
  const steps = sampleReports.flatMap((sample, i) =>
    stepsOf(sample, { ...(times[i] as SampleTimes), index: i }, call),
  );
  const ids = new Map<string, string | undefined>();
  for (const { sample, run } of steps.toSorted((a, b) => a.atMs - b.atMs))
    ids.set(sample, await run(ids.get(sample)));
  return sampleReports.length;
}

function stepsOf(
  sample: SampleReport,
  { submittedMs, verifiedMs, decidedMs, index }: SampleTimes & { readonly index: number },
  call: SampleCall,
): Step[] {
  const { name, status, reason, verified } = sample;
  const send = async (step: string, url: string, body: object, atMs: number) => {
    const answer = await call({
      method: "POST",
      url,
      body,
      moderator: step !== "submit",
      idempotencyKey: `sample-report-${name}-${step}`,
      at: new Date(atMs).toISOString(),
    });
    if (answer.status !== 200)
      throw new Error(`sample ${name}, ${step}: answered ${answer.status}`);
    return answer.body;
  };
  const commanded = (step: string, path: string, body: object, atMs: number): Step => ({
    sample: name,
    atMs,
    async run(id) {
      await send(step, `/prod/api/admin/reports/${id}/${path}`, body, atMs);
      return id;
    },
  });
  const submitted: Step = {
    sample: name,
    atMs: submittedMs,
    async run() {
      const report = movedBefore(sample.report, submittedMs, index);
      const body = await send("submit", "/prod/api/reports/submit", report, submittedMs);
      return (body as { data: { id: string } }).data.id;
    },
  };
  const steps = [submitted];
  if (verified) steps.push(commanded("verify", "verify", {}, verifiedMs));
  if (status === "pending") return steps;
  const [path, body] = decision(status, reason);
  return [...steps, commanded(status, path, body, decidedMs)];
}

function decision(status: ReportStatus, reason: string | undefined): [string, object] {
  if (status === "approved") return ["approve", {}];
  if (status === "rejected") return ["reject", { reason }];
  return ["status", { status }];
}

/** When a sample is sent, verified and decided, in milliseconds since 1970. */
interface SampleTimes {
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
