import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputBounds } from "./bounds.ts";
import { findExcess } from "./json-body.ts";

/** Number of values nested in a value, as `JSON.parse` sees them. */
function count(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((sum, one) => sum + count(one), inner.length);
}

const UNITS = [",", "[", "{", '"', "\\", ":", "a", "\0", "é", "\ud800", "😀"];

describe("findExcess", () => {
  it("accepts every text within the limit, whatever its strings look like", () => {
    const unit = fc.constantFrom(...UNITS);
    const long = fc
      .tuple(unit, fc.integer({ min: 0, max: 300 }))
      .map(([text, n]) => text.repeat(n));
    const text = fc.oneof(fc.string({ unit }), long);
    const name = text.map((name) => name.slice(0, inputBounds.nameLength));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        text,
        fc.integer(),
        fc.array(tie("any"), { maxLength: 6 }),
        fc.dictionary(name, tie("any"), { maxKeys: 6 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (value, indent) => {
        const json = Buffer.from(JSON.stringify(value, null, indent));
        expect(findExcess(count(value), json)).toBeUndefined();
      }),
    );
  });

  it.each([
    ["a list", `[${Array(12).fill(0)}]`],
    ["an object", `{${Array.from({ length: 12 }, (_, n) => `"f${n}":1`)}}`],
    ["one repeated name", `{${Array(12).fill('"a":1')}}`],
    ["lists in lists", "[".repeat(12)],
    ["objects in objects", '{"a":'.repeat(12)],
    ["values after strings with quotes and backslashes", `["\\\\","\\"",${Array(12).fill(0)}]`],
  ])("rejects %s of twelve where ten are allowed", (_what, json) => {
    expect(findExcess(10, Buffer.from(json))).toBe("values");
    expect(findExcess(20, Buffer.from(json))).toBeUndefined();
  });

  const { nameLength } = inputBounds;
  it.each([
    ["letters", "k".repeat(6 * nameLength), "k"],
    ["escaped letters", "\\u0041".repeat(nameLength), "\\n"],
    ["quotes", '\\"'.repeat(3 * nameLength), '\\"'],
    ["backslashes", "\\\\".repeat(3 * nameLength), "\\\\"],
    ["letters of two bytes", "é".repeat(3 * nameLength), "é"],
  ])("rejects a name with too many %s anywhere, and no other text", (_what, fits, more) => {
    const find = (json: string) => findExcess(10, Buffer.from(json));
    for (const json of [
      (name: string) => `{"${name}":1}`,
      (name: string) => `{"a":1,"${name}" \t\r\n : 1}`,
      (name: string) => `[[{"a":[{"${name}":`,
    ]) {
      expect(find(json(fits))).toBeUndefined();
      expect(find(json(fits + more))).toBe("name");
    }
    for (const text of [`{"a":"${fits}${more}"}`, `["${fits}${more}" ,":"]`, `"${fits}${more}`])
      expect(find(text)).toBeUndefined();
  });

  it("never rejects a name that is short enough, however it is escaped", () => {
    const name = fc.string({ unit: fc.constantFrom(...UNITS), maxLength: nameLength });
    const escaped = (text: string) =>
      [...Array(text.length).keys()]
        .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`)
        .join("");
    fc.assert(
      fc.property(name, (name) => {
        const short = name.slice(0, nameLength);
        const json = `{"${escaped(short)}":1}`;
        expect(findExcess(10, Buffer.from(json))).toBeUndefined();
      }),
    );
  });

  const SIZE = 60_000;
  it.each([
    ["one long text", `{"a":"${"k".repeat(SIZE)}"}`, 1000, 10],
    ["one long name", `{"${"k".repeat(SIZE)}":1}`, 1000, 10],
    ["quotes in a text", `"${'\\"'.repeat(SIZE / 2)}"`, 2 * SIZE, SIZE / 64],
    ["backslashes in a text", `"${"\\".repeat(SIZE)}"`, 2 * SIZE, SIZE / 64],
    ["empty texts", '""'.repeat(SIZE / 2), 2 * SIZE, 10],
    [
      "long texts and spaces",
      `"${"k".repeat(700)}"${" ".repeat(300)}`.repeat(SIZE / 1000),
      SIZE,
      600,
    ],
    ["a long text, then spaces", `"${"k".repeat(700)}"${" ".repeat(SIZE)}`, 3 * SIZE, 10],
  ])(
    "reads each byte of %s at most a few times, and searches rarely",
    (_what, json, mostReads, mostSearches) => {
      let reads = 0;
      let searches = 0;
      const counted = new Proxy(Buffer.from(json), {
        get(target, key) {
          if (key === "indexOf") searches += 1;
          else if (key !== "length") reads += 1;
          const found: unknown = Reflect.get(target, key, target);
          return typeof found === "function" ? found.bind(target) : found;
        },
      });
      findExcess(1000, counted);
      expect(reads).toBeLessThanOrEqual(mostReads);
      expect(searches).toBeLessThanOrEqual(mostSearches);
    },
  );
});
