import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEARCH_SORTS } from "#contracts/http/search-messages.ts";
import { REASON_GROUPS } from "#contracts/report/reasons.ts";
import { REGIONS } from "#contracts/report/regions.ts";
import { COUNTRIES, type Country } from "#contracts/report/words.ts";
import {
  countFilters,
  isImpossibleRange,
  NO_FILTERS,
  readFilters,
  type SearchFilters,
  toQuery,
  writeFilters,
} from "./search-filters.ts";

const read = (text: string) => readFilters(new URLSearchParams(text));

const amount = fc.integer({ min: 0, max: 999_999_999_999 }).map((cents) => String(cents / 100));
const places = fc
  .constantFrom("" as const, ...(Object.keys(COUNTRIES) as Country[]))
  .chain((country) =>
    fc
      .constantFrom("", ...Object.keys(REGIONS[country || "US"]))
      .map((state) => ({ country, state })),
  );
const others = fc.record({
  q: fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => text.trim()),
  min: fc.oneof(fc.constant(""), amount),
  max: fc.oneof(fc.constant(""), amount),
  reason: fc.constantFrom("", ...Object.keys(REASON_GROUPS)),
  sort: fc.constantFrom("" as const, ...(Object.keys(SEARCH_SORTS) as SearchFilters["sort"][])),
});

const filters: fc.Arbitrary<SearchFilters> = fc
  .tuple(places, others)
  .map(([place, other]) => ({ ...other, ...place }));

describe("search filters", () => {
  it("round-trip through the URL", () => {
    fc.assert(
      fc.property(filters, (wanted) => {
        expect(read(writeFilters(wanted))).toEqual(wanted);
      }),
    );
  });

  it("leave no trace in the URL if none is set", () => {
    expect(writeFilters(NO_FILTERS)).toBe("");
    expect(read("q=&state=&min=&max=&reason=&sort=")).toEqual(NO_FILTERS);
  });

  it("accept a state of the chosen country", () => {
    expect(read("country=au&state=wa")).toMatchObject({ country: "AU", state: "WA" });
    expect(read("country=CA&state=WA")).toMatchObject({ country: "CA", state: "" });
    expect(read("country=UK&state=WA")).toMatchObject({ country: "UK", state: "" });
    expect(read("state=DC")).toMatchObject({ country: "", state: "DC" });
  });

  it("keep the URL readable", () => {
    expect(writeFilters({ ...NO_FILTERS, q: "ann doe", state: "CA", min: "10" })).toBe(
      "?q=ann+doe&state=CA&min=10",
    );
    expect(writeFilters({ ...NO_FILTERS, q: "x" }, "token")).toBe("?q=x&page=token");
  });

  it.each([
    ["an unknown state", "state=XX"],
    ["an unknown country", "country=FR"],
    ["a state of another country", "state=NSW"],
    ["a state that is the name of an object's own method", "state=constructor"],
    ["an amount that is no number", "min=abc"],
    ["a negative amount", "min=-1"],
    ["an amount of more than two places", "max=1.005"],
    ["an amount with a comma before its cents", "min=12,50"],
    ["an amount in scientific notation", "max=1e5"],
    ["an unknown reason", "reason=Murder"],
    ["an unknown sort order", "sort=toString"],
  ])("ignore %s", (_what, text) => {
    expect(read(text)).toEqual(NO_FILTERS);
  });

  it("parse amounts like the report form", () => {
    expect(read("min=1,234.50").min).toBe("1234.5");
  });

  it("accept a state in lower case, as people type it into the URL", () => {
    expect(read("state=ca").state).toBe("CA");
  });

  it("truncate a text to the registry's maximum length, between characters", () => {
    expect(Array.from(read(`q=${encodeURIComponent("😀".repeat(300))}`).q)).toHaveLength(200);
  });

  it("send the sort order to the registry: relevance for a text, otherwise newest", () => {
    expect(toQuery({ ...NO_FILTERS, q: "doe" }, null).toString()).toBe("q=doe&sort=relevance");
    expect(toQuery(NO_FILTERS, "t").toString()).toBe("page=t&sort=newest");
    expect(toQuery({ ...NO_FILTERS, q: "doe", sort: "oldest" }, null).get("sort")).toBe("oldest");
  });

  it("are counted without text and sort order", () => {
    expect(countFilters({ ...NO_FILTERS, q: "x", sort: "newest" })).toBe(0);
    expect(countFilters({ ...NO_FILTERS, state: "CA", max: "5" })).toBe(2);
  });

  it("are impossible if the minimum amount exceeds the maximum", () => {
    expect(isImpossibleRange({ ...NO_FILTERS, min: "100", max: "20" })).toBe(true);
    expect(isImpossibleRange({ ...NO_FILTERS, min: "20", max: "100" })).toBe(false);
    expect(isImpossibleRange({ ...NO_FILTERS, min: "20" })).toBe(false);
  });
});
