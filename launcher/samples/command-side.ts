import { randomBytes } from "node:crypto";
import type { EventStore } from "#event-store/port.ts";
import { X_ORIGIN_TIME, X_ORIGIN_TOKEN } from "#http/origin.ts";
import type { CommandApi } from "#services/command-api/composition.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { loadSamples, type SampleCall } from "./load-samples.ts";

const now = () => new Date().toISOString();

/** The parts of the command side that the samples use. */
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

/**
 * Loads the samples into an empty log through the API of this process.
 * @param originToken the token that the command side was composed with.
 * @returns how many were loaded; 0 when they are loaded already, or the log holds real reports.
 */
export async function loadSamplesOnce(api: CommandApi, originToken: string): Promise<number> {
  const target = sampleTarget(api);
  const admin = await api.accounts.firstAdmin();
  if (!admin || !(await mayLoadSamples(target))) return 0;
  const callIn =
    (sessionId: string): SampleCall =>
    async (sent) => {
      const { method, url, body, moderator, idempotencyKey, at } = sent;
      // A new token for each call: on a slow machine, loading may take longer than a token is
      // valid.
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
  const loaded = await api.sessions.lend(admin.id, (id) => loadSamples(callIn(id), moment));
  await target.markLoaded(loaded);
  return loaded;
}

/**
 * When the log began: samples are spread over the year before. It stays the same when loading is
 * interrupted and continues later, which repeats commands with the same body.
 */
async function logBegan(store: SampleTarget["store"]): Promise<Date> {
  for await (const { metadata } of store.readAll()) return new Date(metadata.time);
  return new Date();
}

/** The parts of the command side that the samples need; see services/command-api/composition.ts. */
interface SampleTarget {
  readonly store: EventStore;
  /** What the log says about samples; undefined before the log was started. */
  state(): Promise<"none" | "loaded" | "cleared">;
  markLoaded(reports: number): Promise<void>;
  markCleared(reports: number): Promise<void>;
  /** Erases one report, as a sample. */
  delete(reportId: string, commandId: string): Promise<void>;
}

const submissions = { types: ["ReportSubmitted"] };
const erasures = { types: ["ReportErased"] };

/** Whether samples may be loaded: none were so far, and the log holds no real reports. */
async function mayLoadSamples(target: SampleTarget): Promise<boolean> {
  if ((await target.state()) !== "none") return false;
  for await (const event of target.store.readAll(undefined, submissions)) {
    if (event.metadata.origin !== "sample") return false;
  }
  return true;
}

/** Erases every sample that is still there. @returns how many it erased. */
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
