import { expect, it } from "vitest";
import { logCheckText } from "./labels.ts";

it("describes the progress and the result of a log check", () => {
  const at = { done: 12_000, total: 53_210 };
  expect(logCheckText({ state: "queued", done: 0 })).toBe("Waiting to start");
  expect(logCheckText({ state: "running", ...at })).toBe("12,000 of 53,210 events");
  expect(logCheckText({ state: "running", done: 12_000 })).toBe("12,000 events checked");
  expect(logCheckText({ state: "stopping", ...at })).toBe("Stopping");
  expect(logCheckText({ state: "stopped", ...at })).toBe(
    "Stopped. The first 12,000 events are intact.",
  );
  expect(logCheckText({ state: "done", done: 53_210 })).toBe(
    "All 53,210 events are intact: none were changed, removed or inserted.",
  );
  const error = { code: "log_broken", message: "The log does not verify at event x." };
  expect(logCheckText({ state: "failed", ...at, error })).toBe(error.message);
  expect(logCheckText({ state: "failed", ...at })).toBe("The check failed.");
});
