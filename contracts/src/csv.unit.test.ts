import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

it("writes numbers and empty cells as they are, and quotes what would end a field", () => {
  expect(csvLine(["a", 1.5, null, true, 'say "x"', "a,b", "a\r\nb"])).toBe(
    'a,1.5,,true,"say ""x""","a,b","a\r\nb"',
  );
});

it("leaves no text that a spreadsheet would calculate, wherever it would begin", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "＝1", "－1"])
    expect(csvLine([text])).toBe(`'${text}`);
  expect(csvLine(["\t=1"])).toBe(`"'\t=1"`);
  // Where a spreadsheet splits at semicolons, the second half would be a cell.
  expect(csvLine(["Shop;=1+1"])).toBe('"Shop;=1+1"');
  // A number is no text: a sum that is owed stays one.
  expect(csvLine([-5])).toBe("-5");
});
