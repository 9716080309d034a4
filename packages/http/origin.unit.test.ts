import { expect, it } from "vitest";
import { timeOfRequest } from "./origin.ts";

const NOW = new Date("2026-11-23T12:00:00.000Z");
const EARLIER = "2026-01-02T03:04:05.678Z";

it("takes the time only from samples, and never one in the future", () => {
  const time = (...[origin, header]: [Parameters<typeof timeOfRequest>[0], string?]) =>
    timeOfRequest(origin, header, NOW).toISOString();
  expect(time("sample", EARLIER)).toBe(EARLIER);
  expect(time("live", EARLIER)).toBe(NOW.toISOString());
  expect(time("sample")).toBe(NOW.toISOString());
  expect(time("sample", "2026-11-23T12:00:00.001Z")).toBe(NOW.toISOString());
  expect(time("sample", "yesterday")).toBe(NOW.toISOString());
});
