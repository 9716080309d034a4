import { expect, it } from "vitest";
import { ApiError } from "../data/api-error.ts";
import {
  failureReason,
  followWords,
  formatCpu,
  formatMemory,
  formatUptime,
  partNote,
} from "./system-words.ts";

it.each([
  [0, "0 s"],
  [6, "6 s"],
  [306, "5 min 6 s"],
  [3600, "1 h"],
  [14_705, "4 h 5 min"],
  [273_600, "3 d 4 h"],
])("says %d seconds as %s", (seconds, words) => {
  expect(formatUptime(seconds)).toBe(words);
});

it("counts memory in MB and processor time in percent", () => {
  expect([formatMemory(432_013_312), formatCpu(3.25)]).toEqual(["412 MB", "3.3 %"]);
});

it("says where a part runs and how long its check took, or that nobody can check it", () => {
  const email = { part: "email", status: "connected", mode: "external", ms: 12 } as const;
  expect(partNote(email)).toBe("External, 12 ms");
  expect(partNote({ ...email, mode: "embedded" })).toBe("Embedded: emails in a folder, 12 ms");
  expect(partNote({ part: "email", status: "disconnected", mode: "embedded" })).toBe(
    "No process runs that could check it",
  );
});

it("sums up how the tables follow the log", () => {
  const reports = { name: "reports", state: "live", seconds_behind: 0, parked: 0 };
  expect(followWords([])).toMatchObject({ value: "Not running", isWell: false });
  expect(followWords([reports])).toMatchObject({ value: "Up to date", isWell: true });
  expect(followWords([reports, { ...reports, seconds_behind: 45 }])).toMatchObject({
    value: "45 s behind",
    isWell: false,
  });
  expect(followWords([{ ...reports, parked: 2 }])).toMatchObject({
    note: "2 streams parked",
    isWell: false,
  });
});

it("tells the status of an answer that has no sentence of its own", () => {
  expect(failureReason(new ApiError(502, ""))).toBe("HTTP error! status: 502");
  expect(failureReason(new ApiError(503, "Try again soon"))).toBe("Try again soon");
  expect(failureReason(new ApiError(0, "Connection failed"))).toBe("Connection failed");
});
