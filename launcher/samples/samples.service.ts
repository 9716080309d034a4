import { randomBytes } from "node:crypto";
import type { EventStore } from "#event-store/port.ts";

/** The parts of the command side that the samples need; see services/command-api/composition.ts. */
export interface SampleTarget {
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
export async function mayLoadSamples(target: SampleTarget): Promise<boolean> {
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
