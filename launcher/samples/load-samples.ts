import { randomBytes } from "node:crypto";
import type { SubmitReport } from "#contracts/http/reports.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import type { EventStore } from "#event-store/port.ts";
import { X_ORIGIN_TIME, X_ORIGIN_TOKEN } from "#http/origin.ts";
import type { CommandApi } from "#services/command-api/composition.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { type SampleReport, sampleReports } from "./sample-reports.ts";

/** Sends one sample request to the command side. Resolves with the status and body. */
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

interface Step {
  readonly atMs: number;
  /** @param id the sample's report, once submitted. */
  run(id: string | undefined): Promise<string | undefined>;
  readonly sample: string;
}

/**
 * Sends every sample through the API, spread over the year before `moment`, in chronological order and each
 * command under a fixed key. If interrupted, the next run continues where it stopped, without duplicates,
 * as long as the moment is the same.
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

/** When a sample is submitted, verified and decided, in milliseconds since 1970. */
interface SampleTimes {
  readonly submittedMs: number;
  readonly verifiedMs: number;
  readonly decidedMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Age of the first sample, so that a one-year chart is filled. */
const OLDEST_DAYS = 355;
/** Hours that the samples wait for a decision, in turn. */
const WAITS = [3, 26, 7, 50, 12, 90, 1, 30, 140, 5, 18];
/** Days from the latest date in a sample to its submission, in turn. */
const LAGS = [4, 11, 18, 8, 15, 5, 12];

/** Returns times over the year before `nowMs`, oldest first and increasingly dense. They are the same each time. */
export function sampleTimes(count: number, nowMs: number): SampleTimes[] {
  return Array.from({ length: count }, (_, i) => {
    const left = 1 - (i + 0.5) / count;
    // Avoid the same time of day for all.
    const ageMs = OLDEST_DAYS * DAY_MS * left * left;
    const wait = (WAITS[i % WAITS.length] ?? 1) * HOUR_MS;
    const submittedMs = Math.floor(nowMs - ageMs);
    const decidedMs = Math.floor(submittedMs + Math.min(wait, ageMs * 0.6));
    return { submittedMs, verifiedMs: Math.floor((submittedMs * 2 + decidedMs) / 3), decidedMs };
  });
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Moves all of a sample's dates by the same number of days, so that the latest is a while before submission. */
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

const now = () => new Date().toISOString();

/** Adapts the command side to what samples need. */
export function sampleTarget(api: CommandApi): SampleTarget {
  return {
    store: api.store,
    state: async () => (await api.log.state())?.samples ?? "none",
    markLoaded: (reports) => api.log.execute({ type: "LoadSamples", reports }, now()),
    markCleared: (reports) => api.log.execute({ type: "ClearSamples", reports }, now()),
    async delete(reportId, commandId) {
      const caller = { ...systemCaller(now()), origin: "sample" as const };
      const command = { type: "EraseReport", reasonCode: "other" } as const;
      await api.reports.execute(reportId, command, { caller, id: commandId, body: {} });
    },
  };
}

/** Loads the samples into an empty log. @param originToken the command side's. @returns how many were loaded. */
export async function loadSamplesOnce(api: CommandApi, originToken: string): Promise<number> {
  const target = sampleTarget(api);
  const admin = await api.accounts.firstAdmin();
  if (!admin || !(await mayLoadSamples(target))) return 0;
  const callIn =
    (sessionId: string): SampleCall =>
    async (sent) => {
      const { method, url, body, moderator, idempotencyKey, at } = sent;
      // A new token for each call, because on a slow machine loading may outlast a token.
      const token = () => api.app.tokens.issue({ ...admin, role: "admin", sessionId }).token;
      const answer = await api.app.inject({
        method,
        url,
        headers: {
          [X_ORIGIN_TOKEN]: originToken,
          [X_ORIGIN_TIME]: at,
          "idempotency-key": idempotencyKey,
          ...(moderator ? { authorization: `Bearer ${token()}` } : {}),
        },
        payload: body,
      });
      return { status: answer.statusCode, body: answer.json() };
    };
  const moment = await logBegan(target.store);
  const loaded = await api.sessions.withSystemSession(admin.id, (id) =>
    loadSamples(callIn(id), moment),
  );
  await target.markLoaded(loaded);
  return loaded;
}

/** When the log began: samples are spread over the year before that, even if loading continues later. */
async function logBegan(store: SampleTarget["store"]): Promise<Date> {
  for await (const { metadata } of store.readAll()) return new Date(metadata.time);
  return new Date();
}

/** The parts of the command side that samples need; see services/command-api/composition.ts. */
interface SampleTarget {
  readonly store: EventStore;
  /** State of the samples according to the log; undefined before the log was started. */
  state(): Promise<"none" | "loaded" | "cleared">;
  markLoaded(reports: number): Promise<void>;
  markCleared(reports: number): Promise<void>;
  /** Erases one report, as a sample. */
  delete(reportId: string, commandId: string): Promise<void>;
}

const submissions = { types: ["ReportSubmitted"] };
const erasures = { types: ["ReportErased"] };

/** Whether samples may be loaded: none have been, and the log holds no real reports. */
async function mayLoadSamples(target: SampleTarget): Promise<boolean> {
  if ((await target.state()) !== "none") return false;
  for await (const event of target.store.readAll(undefined, submissions)) {
    if (event.metadata.origin !== "sample") return false;
  }
  return true;
}

/** Erases every remaining sample. @returns how many it erased. */
export async function clearSamples(target: SampleTarget): Promise<number> {
  const samples = new Set<string>();
  for await (const event of target.store.readAll(undefined, submissions)) {
    if (event.metadata.origin === "sample") samples.add(event.stream.slice("report-".length));
  }
  for await (const event of target.store.readAll(undefined, erasures)) {
    samples.delete(event.stream.slice("report-".length));
  }
  for (const reportId of samples) {
    await target.delete(reportId, randomBytes(32).toString("hex"));
  }
  await target.markCleared(samples.size);
  return samples.size;
}
