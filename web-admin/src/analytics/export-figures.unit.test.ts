import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Analytics, SpanFigures } from "#contracts/http/analytics.ts";
import { csvOf, exportName, jsonOf } from "./export-figures.ts";

const span: SpanFigures = {
  from: "2026-11-23",
  to: "2026-11-23",
  submitted: 3,
  approved: 1,
  rejected: 0,
  submitted_totals: [
    { currency: "EUR", amount: 80 },
    { currency: "USD", amount: 1200.5 },
  ],
  approved_totals: [],
  median_minutes: 12.5,
  p95_minutes: null,
};

function analytics(name: string, last_name = "Ames"): Analytics {
  return {
    period: "7days",
    time_zone: "UTC",
    figures: { step: "day", total: span, previous: span, points: [span] },
    top_reporters: [{ name, reports: 2, approved: 1, totals: [] }],
    top_offenders: [
      { first_name: "Quinn", last_name, seo_title: "q", reports: 1, all_reports: 2, totals: [] },
    ],
    failed: [],
  };
}

/** Reads CSV as RFC 4180 says. */
function parsed(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (let i = 0, cell = "", quoted = false; i <= csv.length; i += 1) {
    const sign = csv[i] ?? "";
    if (quoted && sign === '"' && csv[i + 1] === '"') {
      cell += '"';
      i += 1;
    } else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === "," || sign === "\r" || sign === "")) {
      rows.at(-1)?.push(cell);
      cell = "";
      if (sign === "\r") {
        rows.push([]);
        i += 1;
      }
    } else cell += sign;
  }
  return rows;
}

describe("the export of figures", () => {
  it("holds points, reporters and offenders, with sums by currency", () => {
    expect(csvOf(analytics("Harborlight Audio"))).toBe(
      [
        "from,to,submitted,approved,rejected,submitted_totals,approved_totals,median_minutes,p95_minutes",
        '2026-11-23,2026-11-23,3,1,0,"€80.00 · $1,200.50",None,12.5,',
        "",
        "reporter,reports,approved,totals",
        "Harborlight Audio,2,1,None",
        "",
        "offender,reports,all_reports,totals",
        "Quinn Ames,1,2,None",
        "",
      ].join("\r\n"),
    );
  });

  it("has no cell that a spreadsheet takes for a formula, whatever a stranger is called", () => {
    const names = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.string().map((text) => `=HYPERLINK("http://x","${text}")`),
      fc.constantFrom(
        "+1",
        "-1+1",
        "@SUM(A1)",
        " =1",
        "\t=1",
        "\tA",
        "\rA",
        "\nA",
        "＝1",
        'a"b',
        "a,b",
      ),
    );
    fc.assert(
      fc.property(names, (name) => {
        const rows = parsed(csvOf(analytics(name)));
        const row = rows.find((cells) => cells.length === 4 && cells[1] === "2");
        expect(row?.[0]?.replace(/^'/, "")).toBe(name.replace(/^'/, ""));
        expect(row?.[0]).not.toMatch(/^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/);
      }),
    );
  });

  it("has no cell that begins after a stranger's semicolon, where a spreadsheet splits at these", () => {
    expect(csvOf(analytics("Shop;=1+1"))).toContain('\r\n"Shop;=1+1",2,1,None\r\n');
  });

  it("leaves out what could not be read, and keeps the server's answer as JSON", () => {
    const found = { ...analytics("A shop"), figures: null, top_offenders: null };
    expect(csvOf(found)).toBe("reporter,reports,approved,totals\r\nA shop,2,1,None\r\n");
    expect(JSON.parse(jsonOf(found))).toEqual(found);
    expect(exportName(analytics("A shop"), "csv")).toBe("analytics-7days-2026-11-23.csv");
  });
});
