import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { ReportEdited } from "./report-edited.ts";
import { ReportSubmitted } from "./report-submitted.ts";
import { FORMER_REPORTS, type ReportFields, reportUpcasters } from "./report-versions.ts";

const fields = (...names: string[]): ReportFields => ({
  clear: Object.fromEntries(names.map((name) => [name, Type.String()])),
  personal: {},
  reporter: {},
});
const definition = (version: number, { clear }: ReportFields) =>
  defineEvent("ReportSubmitted", version, strict(clear), {});

describe("the events that hold a report", () => {
  it("have one version, the next after the former ones", () => {
    const next = FORMER_REPORTS.length + 1;
    expect([ReportSubmitted.version, ReportEdited.version]).toEqual([next, next]);
  });

  it("have an upcaster from each former version: from the first their own, then as they are", () => {
    const upcasters = reportUpcasters(
      (first) => ({ from: definition(1, first), upcast: () => ({ lifted: "by hand" }) }),
      definition,
      [fields("a"), fields("a", "b"), fields("a", "b", "c")],
    );
    const told = upcasters.map(({ from, upcast }) => [
      from.version,
      Object.keys(from.clear.properties),
      upcast({ a: "1" }),
    ]);
    expect(told).toEqual([
      [1, ["a"], { lifted: "by hand" }],
      [2, ["a", "b"], { a: "1" }],
      [3, ["a", "b", "c"], { a: "1" }],
    ]);
  });
});
