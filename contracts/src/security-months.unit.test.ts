import { expect, it } from "vitest";
import { RETENTION_DAYS, securityMonthsKept } from "./retention.ts";

it("keeps months that ended within the retention period plus a day, across the turn of a year", () => {
  expect(RETENTION_DAYS.security_event).toBe(90);
  expect(securityMonthsKept(new Date("2027-01-15T00:00:00Z"))).toEqual([
    "2027-01",
    "2026-12",
    "2026-11",
    "2026-10",
  ]);
  // October ended on 1 November; 91 days later is 31 January.
  const october = (now: string) => securityMonthsKept(new Date(now)).includes("2026-10");
  expect(october("2027-01-31T00:00:00.000Z")).toBe(true);
  expect(october("2027-01-31T00:00:00.001Z")).toBe(false);
});
