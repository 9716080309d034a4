import type { ReportStatus } from "#contracts/report/words.ts";
import { type SampleReport, sampleReports } from "./sample-reports.ts";
import { movedBefore, type SampleTimes, sampleTimes } from "./sample-times.ts";

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
