import { expect, it } from "vitest";
import { csvLine, totalCells, totalColumns } from "./csv.ts";

it("writes numbers and empty cells unchanged, and quotes text that would end a field", () => {
  expect(csvLine(["a", 1.5, null, true, 'say "x"', "a,b", "a\r\nb"])).toBe(
    'a,1.5,,true,"say ""x""","a,b","a\r\nb"',
  );
});

it("escapes formulas wherever a spreadsheet would begin a cell", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "＝1", "－1"])
    expect(csvLine([text])).toBe(`'${text}`);
  expect(csvLine(["\t=1"])).toBe(`"'\t=1"`);
  // Where a spreadsheet splits at semicolons, the second half would be a cell.
  expect(csvLine(["Shop;=1+1"])).toBe('"Shop;=1+1"');
  // Numbers are not text: a negative amount stays a number.
  expect(csvLine([-5])).toBe("-5");
});

/** An ID that begins with digits is not a number. */
const ID = "00421234-12e5-4abc-8def-001122334455";

it("escapes text that a spreadsheet would convert, so that removing one apostrophe restores it", () => {
  const texts = [
    "0042",
    "00",
    "4111111111111111",
    "12e5",
    "1e+5",
    "1E-05",
    "3-4",
    "10/2026",
    "'quoted'",
  ];
  for (const text of texts) expect(csvLine([text])).toBe(`'${text}`);
  for (const text of ["42", "0", "0.5", "2026-11-23", "2026-11-23T09:00:00.000Z", "R-0042", ID])
    expect(csvLine([text])).toBe(text);
  expect(csvLine([42, 0.5])).toBe("42,0.5");
});

it("writes totals as one number for each currency", () => {
  expect(totalColumns("due")).toEqual(["due_USD", "due_EUR", "due_GBP", "due_CAD"]);
  const totals = [{ currency: "EUR", amount: 1847.5 }] as const;
  expect(totalCells("due", totals)).toEqual({
    due_USD: 0,
    due_EUR: 1847.5,
    due_GBP: 0,
    due_CAD: 0,
  });
});
