import { expect, it } from "vitest";
import { formatWait } from "./waiting-time.ts";

it.each([
  [0.2, "1 second"],
  [40, "40 seconds"],
  [60, "60 seconds"],
  [61, "2 minutes"],
  [3600, "60 minutes"],
  [3601, "2 hours"],
])("formats %d seconds as %s", (seconds, words) => {
  expect(formatWait(seconds)).toBe(words);
});
