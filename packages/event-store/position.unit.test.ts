import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPosition, isPosition, parsePosition, START } from "./port.ts";

describe("positions", () => {
  const number = fc.bigInt({ min: 0n, max: 10n ** 20n - 1n });

  it("sort as text like their numbers, and convert back to them", () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [one, other] = [formatPosition(a), formatPosition(b)];
        expect(one < other).toBe(a < b);
        expect(isPosition(one)).toBe(true);
        expect(parsePosition(one)).toBe(a);
      }),
    );
  });

  it("start at the beginning", () => {
    expect(formatPosition(0n)).toBe(START);
  });

  it.each([
    "",
    "1",
    "0000000000000000000",
    "000000000000000000001",
    " 0000000000000000001",
    "٠".repeat(20),
  ])("are not %j", (text) => {
    expect(isPosition(text)).toBe(false);
    expect(() => parsePosition(text)).toThrow(RangeError);
  });
});
