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
}) => Promise<{ readonly status: number; readonly body: unknown }>;

/**
 * Sends every sample through the API, each command under a fixed key. If it is interrupted, the
 * next run continues where it stopped, without duplicates.
 * @returns how many reports are in the log.
 */
export async function loadSamples(call: SampleCall): Promise<number> {
  for (const sample of sampleReports) await loadOne(sample, call);
  return sampleReports.length;
}

async function loadOne(sample: SampleReport, call: SampleCall): Promise<void> {
  const send = async (step: string, url: string, body: object, moderator: boolean) => {
    const idempotencyKey = `sample-report-${sample.name}-${step}`;
    const answer = await call({ method: "POST", url, body, moderator, idempotencyKey });
    if (answer.status !== 200) {
      throw new Error(`sample ${sample.name}, ${step}: answered ${answer.status}`);
    }
    return answer.body;
  };
  const submitted = await send("submit", "/prod/api/reports/submit", sample.report, false);
  const { id } = (submitted as { data: { id: string } }).data;
  const admin = `/prod/api/admin/reports/${id}`;
  if (sample.verified) await send("verify", `${admin}/verify`, {}, true);
  const { status, reason } = sample;
  if (status === "pending") return;
  const [url, body] = decision(status, reason);
  await send(status, `${admin}/${url}`, body, true);
}

function decision(status: ReportStatus, reason: string | undefined): [string, object] {
  if (status === "approved") return ["approve", {}];
  if (status === "rejected") return ["reject", { reason }];
  return ["status", { status }];
}
