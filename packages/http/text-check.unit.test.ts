import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputBounds } from "./bounds.ts";
import { findBadText } from "./text-check.ts";

describe("findBadText", () => {
  it("accepts any text that can be stored", () => {
    const storable = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(fc.dictionary(storable, fc.array(storable)), (value) => {
        expect(findBadText(value, 1000)).toBeUndefined();
      }),
    );
  });

  it("finds a NUL byte or a lone surrogate anywhere", () => {
    const bad = fc.constantFrom("\0", "\ud800", "\udc00");
    const key = fc.stringMatching(/^[a-z]{1,5}$/);
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 8 }),
        fc.string(),
        bad,
        fc.boolean(),
        (path, text, character, inKey) => {
          const leaf: unknown = inKey ? { [text + character]: 1 } : text + character;
          const value = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), leaf);
          expect(findBadText(value, 1000)).toBeDefined();
          expect(findBadText([{ ok: "x" }, value], 1000)).toBeDefined();
        },
      ),
    );
  });

  it("stops at the number of problems that one reply lists", () => {
    const problems = findBadText(Array(900).fill("\0"), 1000);
    expect(Object.keys(problems ?? {})).toHaveLength(inputBounds.problems);
  });

  it.each([
    ["a list", Array(5000).fill("x")],
    ["an object", Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, n]))],
    ["lists within a list", Array(70).fill(Array(70).fill("\0"))],
  ])("reads no more values of %s than allowed", (_what, input) => {
    let reads = 0;
    const counted = (value: object): object =>
      new Proxy(value, {
        get(target, key) {
          reads += 1;
          const found: unknown = Reflect.get(target, key);
          return typeof found === "object" && found !== null ? counted(found) : found;
        },
      });
    expect(findBadText(counted(input), 1000)).toBeDefined();
    expect(reads).toBeLessThanOrEqual(1000);
  });

  it("rejects a long name without repeating it", () => {
    const longest = "k".repeat(inputBounds.nameLength);
    expect(findBadText({ [longest]: 1 }, 10)).toBeUndefined();
    expect(findBadText({ list: [{ [`${longest}k`]: ["\0"] }] }, 10)).toEqual({
      "list.0": "The name of a field must have at most 100 characters",
    });
  });

  it("clips the path of a problem", () => {
    let value: unknown = "\0";
    for (let depth = 0; depth < 30; depth += 1) value = { ["k".repeat(100)]: value };
    const [path = ""] = Object.keys(findBadText(value, 100) ?? {});
    expect(path.length).toBe(inputBounds.pathLength + 1);
  });
});
