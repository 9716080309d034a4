import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { DomainError } from "#contracts/domain-error.ts";
import { besideRow, placeOf } from "#contracts/http/list-place.ts";
import { strict } from "#contracts/report/fields.ts";
import { createPlacedReader, readingOf, totalOf } from "./placed-lists.ts";

const ID = "7f3a9c21-b0aa-4111-8111-111111111111";
const read = createPlacedReader("lists", strict({ q: Type.Optional(Type.String()) }), {
  created_at: "timestamptz",
  last_name: "text",
  amount: "bigint",
  id: "uuid",
});
const ask = (field: string, key: string, id = ID) =>
  read({
    sort: JSON.stringify([field, "ASC"]),
    place: besideRow("after", placeOf({ of: `lists ${field}`, key, id })),
  });
const isRefused = (work: () => unknown) => {
  try {
    work();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid_request" });
    return error instanceof DomainError;
  }
};

describe("the row next to a page", () => {
  it("consists of a sort key and an ID", () => {
    const page = { offset: 0, limit: 25 };
    for (const [field, key] of [
      ["created_at", "2026-11-24T01:02:03.004Z"],
      ["created_at", "-infinity"],
      ["last_name", 'Ömer "O" ~ Lee, %'],
      ["amount", "-12"],
      ["id", ID],
    ] as const)
      expect(ask(field, key).page).toEqual({ ...page, beside: { side: "after", key, id: ID } });
  });

  it.each([
    ["created_at", "now"],
    ["created_at", "2026-02-30T00:00:00.000Z"],
    ["created_at", "0000-01-01T00:00:00.000Z"],
    ["created_at", "+012026-01-01T00:00:00.000Z"],
    ["created_at", "2026-01-01T24:00:00.000Z"],
    ["last_name", "a\0b"],
    ["amount", "1.5"],
    ["amount", "9".repeat(19)],
    ["id", "x"],
  ])("is rejected if the database could not compare it: %s %j", (field, key) => {
    expect(isRefused(() => ask(field, key))).toBe(true);
    expect(isRefused(() => ask("last_name", "a", "x"))).toBe(true);
  });

  it("is read or rejected, whatever the input", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `after~${text}`),
        ),
        (place) => {
          isRefused(() => read({ place }));
        },
      ),
    );
  });
});

describe("how a page is read", () => {
  const at = (offset: number, total: number, atLeast = false) =>
    readingOf({ offset, limit: 25 }, "desc", { total, ...(atLeast ? { atLeast } : {}) });

  it("is from the nearer end within reach", () => {
    expect(at(9_975, 1_000_000)).toMatchObject({ order: "desc", offset: 9_975, limit: 25 });
    expect(at(999_990, 1_000_000)).toMatchObject({ order: "asc", offset: 0, limit: 10 });
    expect(at(990_000, 1_000_000)).toMatchObject({ order: "asc", offset: 9_975, isReversed: true });
  });

  it.each([
    ["in the middle", 500_000, 1_000_000, false],
    ["just out of reach", 9_976, 1_000_000, false],
    ["past the end", 1_000_000, 1_000_000, false],
    ["near the end of an uncounted list", 10_000, 10_001, true],
  ])("is rejected %s", (_, offset, total, atLeast) => {
    expect(isRefused(() => at(offset, total, atLeast))).toBe(true);
  });

  it("is in either direction next to a row", () => {
    const beside = (side: "after" | "before") =>
      readingOf({ offset: 500_000, limit: 25, beside: { side, key: "a", id: ID } }, "desc", {
        total: 1_000_000,
      });
    expect(beside("after")).toMatchObject({ order: "desc", offset: 0, isReversed: false });
    expect(beside("before")).toMatchObject({ order: "asc", offset: 0, isReversed: true });
  });
});

describe("the total of a list that was not fully counted", () => {
  const window = { total: 10_000, atLeast: true };
  const page = (offset: number, side?: "after" | "before") => ({
    offset,
    limit: 25,
    ...(side ? { beside: { side, key: "a", id: ID } } : {}),
  });

  it("is exact if known, else one more than was seen", () => {
    expect(totalOf(page(0), 25, { total: 7 })).toEqual({ total: 7 });
    expect(totalOf(page(0), 25, window)).toEqual(window);
    expect(totalOf(page(10_000, "after"), 25, window)).toEqual({ total: 10_026, atLeast: true });
  });

  it("follows from a page that is not full, or an empty one after the last row", () => {
    expect(totalOf(page(10_000, "after"), 7, window)).toEqual({ total: 10_007 });
    expect(totalOf(page(10_025, "after"), 0, window)).toEqual({ total: 10_025 });
  });

  it("does not follow from a page before a row that has since lost rows", () => {
    expect(totalOf(page(25, "before"), 24, window)).toEqual(window);
    expect(totalOf(page(25, "before"), 0, window)).toEqual(window);
  });
});
