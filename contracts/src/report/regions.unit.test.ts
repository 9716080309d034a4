import { describe, expect, it } from "vitest";
import { REGIONS, regionCode, regionName, regionProblem } from "./regions.ts";
import { missingFields, problemsOfChange, ruleProblems } from "./submission-rules.ts";

const LATEST = "2026-11-21";
const rules = (payload: Record<string, unknown>) =>
  ruleProblems({ report_type: "bad_check", ...payload }, LATEST);

describe("a region", () => {
  it("is one of the country's list: 50 states, the district and 5 territories in the US", () => {
    expect(Object.keys(REGIONS.US)).toHaveLength(56);
    expect(Object.keys(REGIONS.CA)).toHaveLength(13);
    expect(Object.keys(REGIONS.AU)).toHaveLength(8);
    for (const code of ["CO", "DC", "PR", "GU"]) expect(regionProblem("US", code)).toBeUndefined();
    expect(regionProblem("CA", "ON")).toBeUndefined();
    expect(regionProblem("AU", "NSW")).toBeUndefined();
  });

  it("of another country, or of none, is rejected with what to enter", () => {
    expect(rules({ state: "ON" })).toEqual({ state: "There is no state ON in the United States" });
    expect(rules({ state: "ZZ", country: "US" })).toHaveProperty("state");
    expect(rules({ state: "CO", country: "CA" })).toEqual({
      state: "There is no province or territory CO in Canada",
    });
    expect(rules({ state: "nsw", country: "AU" })).toEqual({
      state: "Enter the state or territory as two or three capital letters",
    });
    expect(rules({ state: "constructor", country: "US" })).toHaveProperty("state");
  });

  it("is any text in the United Kingdom, and is required under its own name", () => {
    expect(rules({ state: "Greater Manchester", country: "UK" })).toEqual({});
    expect(missingFields({ country: "UK" })).toMatchObject({
      state: "County or region is required",
      zip: "Postal code is required",
    });
    expect(missingFields({})).toMatchObject({ state: "State is required", zip: "ZIP is required" });
  });

  it("is found by its code or name, however it is typed", () => {
    expect(regionCode("US", " colorado ")).toBe("CO");
    expect(regionCode("CA", "on")).toBe("ON");
    expect(regionCode("UK", "Kent")).toBe("Kent");
    expect(regionCode("US", "Kent")).toBe("Kent");
    expect(regionName("AU", "WA")).toBe("Western Australia");
    expect(regionName("UK", "Kent")).toBe("Kent");
    expect(regionName("US", "toString")).toBe("toString");
  });
});

describe("a routing number", () => {
  it("has nine digits in the US and at most nine in other countries", () => {
    const digits = (bank_routing: string, country?: string) => rules({ bank_routing, country });
    expect(digits("021000021")).toEqual({});
    expect(digits("200000")).toEqual({
      bank_routing: "Enter the 9 digits of the routing number",
    });
    expect(digits("200000", "US")).toHaveProperty("bank_routing");
    for (const country of ["CA", "UK", "AU"]) expect(digits("200000", country)).toEqual({});
  });
});

describe("problems that a change causes", () => {
  it("include what another country makes invalid, but nothing that was invalid before", () => {
    const found = { state: "a", bank_routing: "b", last_4: "c", "chargebacks.0.date": "d" };
    const blamed = (...changed: string[]) =>
      Object.keys(problemsOfChange(found, (field) => changed.includes(field)));
    expect(blamed("country")).toEqual(["state", "bank_routing"]);
    expect(blamed("state", "chargebacks")).toEqual(["state", "chargebacks.0.date"]);
    expect(blamed("title")).toEqual([]);
  });
});
