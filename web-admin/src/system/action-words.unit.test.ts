import { expect, it } from "vitest";
import type { Job } from "#contracts/http/jobs.ts";
import {
  attentionFirst,
  attentionWords,
  endSentence,
  historyWords,
  isWell,
  progressWords,
} from "./action-words.ts";

const counts = { done: 2, conflict: 0, refused: 0, gone: 0, failed: 0 };
const job = (more: Partial<Job> = {}): Job => ({
  id: crypto.randomUUID(),
  kind: "clear-cache",
  state: "done",
  account_id: crypto.randomUUID(),
  done: 2,
  created_at: "2026-11-23T10:00:00.000Z",
  counts,
  lines: [],
  ...more,
});

it("says how an action ended in the words of the spec", () => {
  expect(endSentence("clear-cache", job())).toBe("Clear cache completed successfully");
  expect(endSentence("clear-cache", job({ state: "stopped" }))).toBe("Clear cache was stopped");
  const error = { code: "interrupted", message: "The process ended." };
  expect(endSentence("clear-cache", job({ state: "failed", error }))).toBe(
    "Failed to clear cache: The process ended.",
  );
});

it("says how far an action is: of so many, or how much of a backup is written", () => {
  expect(progressWords("clear-cache", { done: 2, total: 5 })).toBe(", 2 of 5");
  expect(progressWords("backup", { done: 1200 })).toBe(", 1,200 MB written");
  expect(progressWords("backup", { done: 0 })).toBe("");
  expect(progressWords("restart", { done: 1 })).toBe("");
});

it("takes an action for well only if no part of it failed", () => {
  expect(isWell(job())).toBe(true);
  expect(isWell(job({ counts: { ...counts, failed: 1 } }))).toBe(false);
  expect(isWell(job({ state: "stopped" }))).toBe(false);
});

it("has a line of the history for each action of the system that has ended, and for no other job", () => {
  expect(historyWords(job())).toBe("Clear cache completed successfully");
  expect(historyWords(job({ state: "running" }))).toBeUndefined();
  const error = { code: "failed", message: "There is no archive" };
  expect(historyWords(job({ kind: "check-backups", state: "failed", error }))).toBe(
    "Backup check failed: There is no archive",
  );
  expect(historyWords(job({ kind: "bulk" }))).toBeUndefined();
  expect(historyWords(job({ kind: "log_check" }))).toBeUndefined();
});

it("shows what needs attention first, and says how much that is", () => {
  const line = (number: number, outcome: "done" | "refused" | "gone" | "failed") => ({
    number,
    outcome,
    at: "2026-11-23T10:00:00.000Z",
  });
  const lines = [line(1, "done"), line(2, "refused"), line(3, "gone"), line(4, "failed")];
  expect(attentionFirst(lines).map(({ number }) => number)).toEqual([2, 4, 1, 3]);
  const found = { ...counts, refused: 1, failed: 1 };
  expect(attentionWords(job({ lines, counts: found }))).toBe(": 2 of 4 need attention.");
  expect(attentionWords(job({ lines, counts }))).toBeUndefined();
});
