import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { DomainError } from "#contracts/domain-error.ts";
import { strict } from "#contracts/report/fields.ts";
import { createListReader } from "./placed-lists.ts";

const Filter = strict({
  id: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  status: Type.Optional(Type.Enum(["pending", "approved"])),
});
const readList = createListReader(Filter, ["created_at", "amount"]);

function refusal(query: object): Record<string, string> {
  try {
    readList(query);
  } catch (error) {
    if (error instanceof DomainError && error.code === "invalid_request")
      return { ...error.fields };
    throw error;
  }
  throw new Error("was not refused");
}

describe("a list request from ra-data-simple-rest", () => {
  it("is parsed as the data provider sends it", () => {
    const query = {
      sort: '["amount","ASC"]',
      range: "[50,74]",
      filter: '{"status":"pending"}',
    };
    expect(readList(query)).toEqual({
      page: { offset: 50, limit: 25 },
      sort: { field: "amount", order: "asc" },
      filter: { status: "pending" },
    });
  });

  it("defaults to the first rows by the first field, descending", () => {
    expect(readList({})).toEqual({
      page: { offset: 0, limit: 25 },
      sort: { field: "created_at", order: "desc" },
      filter: {},
    });
  });

  it("returns all IDs that getMany requests", () => {
    const id = Array.from({ length: 60 }, (_, i) => `id-${i}`);
    expect(readList({ filter: JSON.stringify({ id }) }).page).toEqual({ offset: 0, limit: 60 });
  });

  it.each([
    ["sort", { sort: '["password","ASC"]' }],
    ["sort", { sort: '["amount","sideways"]' }],
    ["sort", { sort: "amount" }],
    ["range", { range: "[24,0]" }],
    ["range", { range: "[0,1000]" }],
    ["range", { range: "[-1,4]" }],
    ["range", { range: "0-24" }],
    ["range", { range: "[9990,10000]" }],
    ["filter", { filter: '{"secret":"x"}' }],
    ["filter", { filter: '{"status":"gone"}' }],
    ["filter", { filter: "[" }],
  ])("is rejected naming %s: %o", (field, query) => {
    expect(Object.keys(refusal(query))).toEqual([field]);
  });

  it("reaches row 10,000 and no further", () => {
    expect(readList({ range: "[9975,9999]" }).page).toEqual({ offset: 9975, limit: 25 });
  });

  it("is read or rejected, for any input", () => {
    const json = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((v) => JSON.stringify(v)),
    );
    const query = fc.record({ sort: json, range: json, filter: json }, { requiredKeys: [] });
    fc.assert(
      fc.property(query, (given) => {
        try {
          const { page } = readList(given);
          expect(page.limit).toBeGreaterThan(0);
          expect(page.offset + page.limit).toBeLessThanOrEqual(10_000);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
    );
  });
});
