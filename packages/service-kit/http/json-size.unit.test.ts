import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsMoreThan } from "./json-size.ts";

/** Values within a value, as `JSON.parse` sees them. */
function count(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((sum, one) => sum + count(one), inner.length);
}

describe("holdsMoreThan", () => {
  it("lets every text pass that holds no more values, whatever its strings look like", () => {
    const text = fc.string({ unit: fc.constantFrom(",", "[", "{", '"', "\\", "a", "\0") });
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        text,
        fc.integer(),
        fc.array(tie("any"), { maxLength: 6 }),
        fc.dictionary(text, tie("any"), { maxKeys: 6 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (value, indent) => {
        expect(holdsMoreThan(count(value), JSON.stringify(value, null, indent))).toBe(false);
      }),
    );
  });

  it.each([
    ["a list", `[${Array(12).fill(0)}]`],
    ["an object", `{${Array.from({ length: 12 }, (_, n) => `"f${n}":1`)}}`],
    ["one name, again and again", `{${Array(12).fill('"a":1')}}`],
    ["lists in lists", "[".repeat(12)],
    ["objects in objects", '{"a":'.repeat(12)],
    ["values after strings with quotes and backslashes", `["\\\\","\\"",${Array(12).fill(0)}]`],
  ])("refuses %s of twelve where ten are allowed", (_what, json) => {
    expect(holdsMoreThan(10, json)).toBe(true);
    expect(holdsMoreThan(20, json)).toBe(false);
  });
});
