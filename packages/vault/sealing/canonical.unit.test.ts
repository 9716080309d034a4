import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalBytes, canonicalList } from "./hashes.ts";

it("writes lists of strings and integers as RFC 8785 does", () => {
  const text = fc.string({ unit: "binary" }).map((value) => value.toWellFormed());
  fc.assert(
    fc.property(fc.array(fc.oneof(text, fc.maxSafeInteger())), (list) => {
      expect(canonicalList(list)).toEqual(canonicalBytes(list));
    }),
  );
});
