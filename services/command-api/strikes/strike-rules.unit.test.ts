import { describe, expect, it } from "vitest";
import { consequenceOf, suspensionAfter } from "./strike-rules.ts";

const FIRST = "2026-11-01T10:00:00.000Z";
const SECOND = "2026-11-24T10:00:00.000Z";
const THIRD = "2026-11-25T10:00:00.000Z";
const END = "2026-12-24T10:00:00.000Z";

describe("infringements", () => {
  it("lead to a warning, then a 30-day suspension, then a ban", () => {
    expect(consequenceOf(1, SECOND)).toEqual({ step: "warning" });
    expect(consequenceOf(2, SECOND)).toEqual({ step: "suspension", until: END });
    expect(consequenceOf(3, SECOND)).toEqual({ step: "ban" });
    expect(consequenceOf(4, SECOND)).toEqual({ step: "ban" });
  });

  it("suspend from the second one on, for exactly 30 days", () => {
    expect(suspensionAfter([], SECOND)).toBeUndefined();
    expect(suspensionAfter([FIRST], SECOND)).toBeUndefined();
    expect(suspensionAfter([FIRST, SECOND], "2026-12-24T09:59:59.999Z")).toEqual({ until: END });
    expect(suspensionAfter([FIRST, SECOND], END)).toBeUndefined();
  });

  it("suspend permanently from the third one on", () => {
    expect(suspensionAfter([FIRST, SECOND, THIRD], "2099-01-01T00:00:00.000Z")).toEqual({});
  });
});
