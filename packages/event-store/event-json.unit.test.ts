import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertEventJson, MAX_DEPTH } from "./batch.ts";
import { eventObjects } from "./contract/arbitraries.ts";
import { InvalidBatch } from "./port.ts";

function nested(depth: number): object {
  return depth <= 1 ? {} : { inner: nested(depth - 1) };
}

function refusal(value: unknown): string | undefined {
  try {
    assertEventJson(value, "data");
    return undefined;
  } catch (error) {
    if (error instanceof InvalidBatch) return error.message;
    throw error;
  }
}

const NO_FIELD = "data has a property that is not a plain field";

describe("assertEventJson", () => {
  it("accepts everything that an event may hold", () => {
    fc.assert(
      fc.property(eventObjects, (data) => {
        expect(refusal(data)).toBeUndefined();
      }),
    );
  });

  it("refuses everything that JSON or RFC 8785 would change or refuse", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
    });
    let passed = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anything), (value) => {
        if (refusal(value) !== undefined) return;
        passed += 1;
        const copy = JSON.parse(JSON.stringify(value));
        expect(copy).toEqual(value);
        expect(canonicalize(copy)).toBe(canonicalize(value));
        expect(JSON.stringify(value)).not.toContain("null");
      }),
      { numRuns: 1_000 },
    );
    expect(passed).toBeGreaterThan(25);
  }, 30_000);

  it(`accepts ${MAX_DEPTH} levels of nesting, and no more`, () => {
    expect(refusal(nested(MAX_DEPTH))).toBeUndefined();
    expect(refusal(nested(MAX_DEPTH + 1))).toContain(`deeper than ${MAX_DEPTH}`);
    expect(refusal(nested(5_000))).toContain(`deeper than ${MAX_DEPTH}`);
  });

  it.each([
    [{ a: { b: [1, { c: 0.5 }] } }, "data.a.b[1].c must be a safe integer"],
    [{ a: null }, "data.a must not be null"],
    [{ a: undefined }, "data.a must not be undefined"],
    [{ a: ["x", "y\0"] }, "data.a[1] contains U+0000"],
    [{ a: "\udfff" }, "data.a contains a lone surrogate"],
    [{ "Quentin Tarnow": -0 }, "data.(key) must be a safe integer"],
    [{ "Quentin\0": 1 }, "a key of data contains U+0000"],
    [{ "Quentin\udc00": 1 }, "a key of data contains a lone surrogate"],
    [[], "data must be a plain object"],
    [null, "data must be a plain object"],
    [{ a: new Array(2) }, "data.a must be a plain array"],
    [{ a: new Date(0) }, "data.a must be a plain object"],
    [{ a: new URL("https://example.test/") }, "data.a must be a plain object"],
    [{ a: () => 1 }, "data.a must not be function"],
    [Object.defineProperty({}, "a", { get: () => 1, enumerable: true }), NO_FIELD],
  ])("of %o says %j", (value, message) => {
    expect(refusal(value)).toBe(message);
  });

  it("accepts one object in two places", () => {
    const shared = { n: 1 };
    expect(refusal({ one: shared, other: [shared, shared] })).toBeUndefined();
  });

  it("refuses an array with extra properties", () => {
    expect(refusal({ list: Object.assign([1], { more: 2 }) })).toContain("plain array");
  });
});
