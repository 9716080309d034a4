import { expect, it } from "vitest";
import { formatSize } from "#contracts/format-size.ts";
import type { KeptBackup } from "#contracts/http/backups.ts";
import type { Job } from "#contracts/http/jobs.ts";
import { ApiError } from "../data/api-error.ts";
import {
  attentionFirst,
  attentionText,
  backupCheckText,
  endSentence,
  failureReason,
  formatCpu,
  formatMemory,
  formatUptime,
  historyText,
  isWell,
  makerText,
  partNote,
  progressText,
  projectionText,
  stateText,
} from "./labels.ts";

it.each([
  [0, "0 s"],
  [6, "6 s"],
  [306, "5 min 6 s"],
  [3600, "1 h"],
  [14_705, "4 h 5 min"],
  [273_600, "3 d 4 h"],
])("formats %d seconds as %s", (seconds, words) => {
  expect(formatUptime(seconds)).toBe(words);
});

it("formats memory in MB and CPU usage in percent", () => {
  expect([formatMemory(432_013_312), formatCpu(3.25)]).toEqual(["412 MB", "3.3%"]);
});

it("shows where a part runs and how long its check took, or that no process can check it", () => {
  const email = { part: "email", status: "connected", mode: "external", ms: 12 } as const;
  expect(partNote(email)).toBe("External, 12 ms");
  expect(partNote({ ...email, mode: "embedded" })).toBe("Embedded: emails in a folder, 12 ms");
  expect(partNote({ part: "email", status: "disconnected", mode: "embedded" })).toBe(
    "No running process can check it",
  );
});

it("summarizes how the tables follow the log", () => {
  const reports = { name: "reports", state: "live", seconds_behind: 0, parked: 0 };
  expect(projectionText([])).toMatchObject({ value: "Not running", isWell: false });
  expect(projectionText([reports])).toMatchObject({ value: "Up to date", isWell: true });
  expect(projectionText([reports, { ...reports, seconds_behind: 45 }])).toMatchObject({
    value: "45 s behind",
    isWell: false,
  });
  expect(projectionText([{ ...reports, parked: 2 }])).toMatchObject({
    note: "2 streams parked",
    isWell: false,
  });
});

it("shows the HTTP status if there is no message", () => {
  expect(failureReason(new ApiError(502, ""))).toBe("HTTP error! status: 502");
  expect(failureReason(new ApiError(503, "Try again soon"))).toBe("Try again soon");
  expect(failureReason(new ApiError(0, "Connection failed"))).toBe("Connection failed");
});

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

it("describes how an action ended, in the wording of the specification", () => {
  expect(endSentence("clear-cache", job())).toBe("Clear cache completed successfully");
  expect(endSentence("clear-cache", job({ state: "stopped" }))).toBe("Clear cache was stopped");
  const error = { code: "interrupted", message: "The process ended." };
  expect(endSentence("clear-cache", job({ state: "failed", error }))).toBe(
    "Failed to clear cache: The process ended.",
  );
});

it("shows progress as a count, or as the size of a backup written so far", () => {
  expect(progressText("clear-cache", { done: 2, total: 5 })).toBe(", 2 of 5");
  expect(progressText("backup", { done: 1200 })).toBe(", 1,200 MB written");
  expect(progressText("backup", { done: 0 })).toBe("");
  expect(progressText("restart", { done: 1 })).toBe("");
});

it("treats an action as successful only if no part of it failed", () => {
  expect(isWell(job())).toBe(true);
  expect(isWell(job({ counts: { ...counts, failed: 1 } }))).toBe(false);
  expect(isWell(job({ state: "stopped" }))).toBe(false);
});

it("has a history line for each system action that has ended, and for no other job", () => {
  expect(historyText(job())).toBe("Clear cache completed successfully");
  expect(historyText(job({ state: "running" }))).toBeUndefined();
  const error = { code: "failed", message: "There is no archive" };
  expect(historyText(job({ kind: "check-backups", state: "failed", error }))).toBe(
    "Backup check failed: There is no archive",
  );
  expect(historyText(job({ kind: "bulk" }))).toBeUndefined();
  expect(historyText(job({ kind: "log_check" }))).toBeUndefined();
});

it("sorts what needs attention first, and counts it", () => {
  const line = (number: number, outcome: "done" | "refused" | "gone" | "failed") => ({
    number,
    outcome,
    at: "2026-11-23T10:00:00.000Z",
  });
  const lines = [line(1, "done"), line(2, "refused"), line(3, "gone"), line(4, "failed")];
  expect(attentionFirst(lines).map(({ number }) => number)).toEqual([2, 4, 1, 3]);
  const found = { ...counts, refused: 1, failed: 1 };
  expect(attentionText(job({ lines, counts: found }))).toBe(": 2 of 4 need attention.");
  expect(attentionText(job({ lines, counts }))).toBeUndefined();
});

const backup: KeptBackup = {
  name: "registry-1",
  bytes: 1,
  state: "opens",
  key_versions: [2],
  current_key: true,
};

it("shows whether a backup can be opened, and with which key", () => {
  const words = (fields: Partial<KeptBackup>) => stateText({ ...backup, ...fields });
  expect(words({})).toBe("Opens with the current key (version 2)");
  expect(words({ key_versions: [1, 2], current_key: false })).toBe(
    "Opens with a previous key (version 1 and 2)",
  );
  expect(words({ state: "other_key", key_versions: [1] })).toBe("Needs master key version 1");
  const broken = ["no_keys", "no_archive", "unreadable", "mismatched"] as const;
  expect(broken.map((state) => words({ state }))).toEqual([
    "Keys missing",
    "Archive missing",
    "Can't be read",
    "Archive and keys don't match",
  ]);
});

it("shows how a backup was started and its size", () => {
  expect(
    [true, false, undefined].map((by_hand) =>
      makerText({ ...(by_hand === undefined ? {} : { by_hand }) }),
    ),
  ).toEqual(["Manual", "Scheduled", "Unknown"]);
  expect([0, 999, 12_400, 1_250_000_000].map(formatSize)).toEqual([
    "0 bytes",
    "999 bytes",
    "12.4 kB",
    "1.3 GB",
  ]);
});

it("describes a running check and its result", () => {
  const check = (fields: Partial<Job>) => fields as Job;
  expect(backupCheckText("registry-1", undefined)).toBe("Verifying registry-1");
  expect(backupCheckText("registry-1", check({ state: "done" }))).toBe(
    "registry-1 is complete and can be restored.",
  );
  const error = { code: "unavailable", message: "The archive a.tar.zst is cut off." };
  expect(backupCheckText("registry-1", check({ state: "failed", error }))).toBe(
    "Couldn't verify registry-1: The archive a.tar.zst is cut off.",
  );
  expect(backupCheckText(undefined, check({ state: "running" }))).toBe(
    "Checking which backups are kept",
  );
  expect(backupCheckText(undefined, check({ state: "done" }))).toBe("The list is up to date.");
});
