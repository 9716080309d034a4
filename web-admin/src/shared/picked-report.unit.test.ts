import { expect, it } from "vitest";
import { reportNumber } from "#contracts/report/masks.ts";
import { askedFor, picked } from "./picked-report.ts";

const ID = "7f3a9c21-b0aa-4111-8111-111111111111";
const COPY = "0b0b7f3e-0000-4000-8000-000000000001";

it.each([
  reportNumber(ID),
  "r-7f3a9-c21b0",
  " R 7F3A9 C21B0 ",
  "R7F3A9C21B0",
  "7f3a9c21b0",
  "#R-7F3A9-C21B0",
  "R–7F3A9–C21B0",
])("queries the digits of an ID for a report number: %s", (text) => {
  expect(askedFor(text)).toEqual({ q: "7f3a9c21-b0" });
  expect(ID.startsWith("7f3a9c21-b0")).toBe(true);
});

it("parses IDs, URLs in the console and on the site, and URLs of pictures", () => {
  for (const text of [ID.toUpperCase(), `https://x.example/admin/reports/${ID}/history`])
    expect(askedFor(text)).toEqual({ q: ID, copyId: undefined });
  expect(askedFor(`https://x.example/evidence/${ID}/${COPY}.png`)).toEqual({ q: ID, copyId: COPY });
  expect(askedFor("https://x.example/report/quinn-ames-denver?x=1")).toEqual({
    seoTitle: "quinn-ames-denver",
  });
  expect(askedFor("x.example/report/ren%C3%A9-ames")).toEqual({ seoTitle: "rené-ames" });
});

it.each(["Quinn Ames", "R-7F3A9", "Facade", "q@example.net"])(
  "queries anything else as it is: %s",
  (text) => {
    expect(askedFor(` ${text} `)).toEqual({ q: text });
  },
);

it("labels a report with its number and person", () => {
  const report = { id: ID, first_name: "Quinn", last_name: "Ames", title: "Late" };
  expect(picked(report).label).toBe("R-7F3A9-C21B0, Quinn Ames");
  expect(picked(report, COPY)).toMatchObject({
    copyId: COPY,
    label: expect.stringContaining("one picture"),
  });
});
