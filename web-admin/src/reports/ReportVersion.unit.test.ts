import { describe, expect, it } from "vitest";
import { comparedText } from "./ReportVersion.tsx";

describe("a value of one version", () => {
  it("is shown in words, in the report's currency", () => {
    expect(comparedText("amount", 412.5, "EUR")).toBe("€412.50");
    expect(comparedText("phone", undefined, "USD")).toBe("Not given");
    expect(comparedText("chargebacks", [], "USD")).toBe("None");
  });

  it("has a line for each additional chargeback", () => {
    const items = [{ amount: 10.1 }, { amount: 20, date: "2026-05-02" }];
    const lines = comparedText("chargebacks", items, "USD").split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("$10.10");
    expect(lines[1]).toContain("$20.00");
    expect(lines[1]).toContain("May 2, 2026");
  });
});
