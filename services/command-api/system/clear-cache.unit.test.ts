import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { JobRun, NewJobLine } from "../jobs/job-kind.ts";
import type { RequestedProcess } from "./request.store.ts";
import { clearCache } from "./system-kinds.ts";

/** A job, and the processes that it sees at each check. */
function runOf(looks: readonly (readonly RequestedProcess[])[], finished: readonly string[] = []) {
  const lines: NewJobLine[] = [];
  const abort = new AbortController();
  const left = [...looks];
  const run = {
    id: randomUUID(),
    finished: new Set(finished),
    signal: abort.signal,
    total: async () => undefined,
    line: async (line: NewJobLine) => void lines.push(line),
  } as unknown as JobRun;
  const requests = {
    ask: async () => undefined,
    asked: async () => (left.length > 1 ? left.shift() : left[0]) ?? [],
  };
  const action = clearCache(requests, { lookMs: 1, mostMs: 50 });
  return { lines, stop: () => abort.abort(), result: () => action.run(run) };
}
const asked = (id: string, count?: number, isGone = false): RequestedProcess => ({
  id,
  service: "query-api",
  count: count ?? null,
  isGone,
});
const outcomes = (lines: readonly NewJobLine[]) =>
  lines.map(({ target, outcome }) => [target, outcome]);

it("waits for all processes, and adds up what they removed", async () => {
  const { lines, result } = runOf([
    [asked("a"), asked("b")],
    [asked("a", 2), asked("b")],
    [asked("a", 2), asked("b", 3)],
  ]);
  expect(await result()).toBe(5);
  expect(outcomes(lines)).toEqual([
    ["a", "done"],
    ["b", "done"],
    ["web", "done"],
  ]);
});

it("reports processes that are gone or do not answer in time", async () => {
  const { lines, result } = runOf([[asked("a", undefined, true), asked("b")]]);
  expect(await result()).toBe(0);
  expect(outcomes(lines)).toEqual([
    ["a", "gone"],
    ["b", "failed"],
    ["web", "done"],
  ]);
});

it("resumes after its process crashed, and counts what was removed before", async () => {
  const { lines, result } = runOf([[asked("a", 2), asked("b", 3)]], ["a"]);
  expect(await result()).toBe(5);
  expect(outcomes(lines)).toEqual([
    ["b", "done"],
    ["web", "done"],
  ]);
});

it("ends immediately when stopped", async () => {
  const { lines, stop, result } = runOf([[asked("a")]]);
  stop();
  expect(await result()).toBe(0);
  expect(lines).toEqual([]);
});
