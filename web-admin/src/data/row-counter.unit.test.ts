import { expect, it } from "vitest";
import { rowCounter } from "./export-calls.ts";

function counted(format: "csv" | "json", text: string): number {
  const counter = rowCounter(format);
  for (const sign of text) counter.add(sign);
  return counter.add("");
}

it("counts the rows of CSV, with line breaks and quotes in cells", () => {
  expect(counted("csv", "")).toBe(0);
  expect(counted("csv", "id,name\r\n")).toBe(0);
  expect(counted("csv", 'id,name\r\n1,"a\r\nb ""c"""\r\n2,d\r\n3,')).toBe(2);
});

it("counts the rows of JSON", () => {
  expect(counted("json", "[\n]\n")).toBe(0);
  expect(counted("json", '[\n{"id":1,"parts":[{"a":"{"}]},\n{"id":2}\n]\n')).toBe(2);
});
