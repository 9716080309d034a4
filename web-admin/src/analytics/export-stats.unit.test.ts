import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Analytics, SpanStats } from "#contracts/http/analytics.ts";
import { csvOf, exportName, jsonOf } from "./export-stats.ts";

const span: SpanStats = {
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

/** Parses CSV as specified in RFC 4180. */
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

describe("the analytics export", () => {
  it("puts points, reporters and offenders in one table, with a numeric column per currency", () => {
    const [columns = [], ...lines] = parsed(csvOf(analytics("Harborlight Audio")).slice(1));
    expect(lines.pop()).toEqual([""]);
    const filled = lines.map((cells) =>
      Object.fromEntries(columns.map((column, i) => [column, cells[i]]).filter(([, cell]) => cell)),
    );
    const none = (name: string) =>
      Object.fromEntries(["USD", "EUR", "GBP", "CAD"].map((each) => [`${name}_${each}`, "0"]));
    expect(filled).toEqual([
      {
        ...{ kind: "period", from: "2026-11-23", to: "2026-11-23" },
        ...{ submitted: "3", approved: "1", rejected: "0", median_minutes: "12.5" },
        ...{ ...none("submitted"), submitted_USD: "1200.5", submitted_EUR: "80" },
        ...none("approved"),
      },
      {
        ...{ kind: "reporter", name: "Harborlight Audio", reports: "2", approved: "1" },
        ...none("totals"),
      },
      {
        ...{ kind: "offender", name: "Quinn Ames", reports: "1", all_reports: "2" },
        ...none("totals"),
      },
    ]);
    expect(lines.map(({ length }) => length)).toEqual(Array(3).fill(columns.length));
  });

  it("has no cell that a spreadsheet would treat as a formula, whatever the reporter's name", () => {
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
        const row = parsed(csvOf(analytics(name))).find(([kind]) => kind === "reporter");
        expect(row?.[3]?.replace(/^'/, "")).toBe(name);
        expect(row?.[3]).not.toMatch(/^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/);
      }),
    );
  });

  it("quotes a name with a semicolon, so no cell starts after it where spreadsheets split on semicolons", () => {
    expect(csvOf(analytics("Shop;=1+1"))).toContain(',"Shop;=1+1",');
  });

  it("leaves out what could not be read, and keeps the server's response as JSON", () => {
    const found = { ...analytics("A shop"), figures: null, top_offenders: null };
    expect(csvOf(found).split("\r\n").slice(1)).toEqual([expect.stringMatching(/^reporter,/), ""]);
    expect(JSON.parse(jsonOf(found))).toEqual(found);
    expect(exportName(analytics("A shop"), "csv")).toBe("analytics-7days-2026-11-23.csv");
  });
});
