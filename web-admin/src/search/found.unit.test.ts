import { describe, expect, it } from "vitest";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { paths } from "../config/paths.ts";
import { foundPages, foundPeople, foundReport, foundUser, isNamed, reportSearch } from "./found.ts";

const ID = "7f3a9c21-b0aa-4111-8111-111111111111";
const REPORT = { id: ID, first_name: "Quinn", last_name: "Ames", title: "Late" } as AdminReport;
const PAGES = [
  { path: "/queue", link: "Queue", title: "Moderation Queue" },
  { path: "/audit-logs", link: "Audit logs", title: "Audit Logs" },
  { path: "/users", link: "Users", title: "Users" },
];

describe("global search", () => {
  it("looks up a report number, complete or not, by the digits of the ID", () => {
    expect(reportNumber(ID)).toBe("R-7F3A9-C21B0");
    expect(reportSearch("R-7F3A9-C21B0")).toBe("7f3a9c21-b0");
    expect(ID.startsWith(reportSearch(reportNumber(ID)))).toBe(true);
    expect(reportSearch("r-7f3a9-c2")).toBe("7f3a9c2");
    expect(reportSearch("R-7F3")).toBe("7f3");
  });

  it.each(["Rae", "rab", "R", "r-zoe", "Quinn Ames", "q@example.net"])(
    "searches for anything else as typed: %s",
    (text) => {
      expect(reportSearch(text)).toBe(text);
    },
  );

  it("finds pages by every word of their names", () => {
    expect(foundPages("audit", PAGES)).toEqual([
      { group: "Pages", path: "/audit-logs", label: "Audit logs", detail: "Audit Logs" },
    ]);
    expect(foundPages("queue MODER", PAGES).map(({ path }) => path)).toEqual(["/queue"]);
    expect(foundPages("users", PAGES)).toMatchObject([{ detail: "" }]);
    expect(foundPages("queue users", PAGES)).toEqual([]);
  });

  it("finds each name on reports once, if it contains every word in any case", () => {
    const on = (first_name: string, last_name: string, title = "Late") =>
      ({ first_name, last_name, title }) as AdminReport;
    const reports = [on("Quinn", "Ames"), on("QUINN", "ames"), on("Rae", "Ames"), on("", "Ames")];
    expect(foundPeople("ames QUI", reports)).toEqual([
      {
        group: "People",
        path: paths.reportsWith("Quinn Ames"),
        label: "Quinn Ames",
        detail: "All reports with this name",
      },
    ]);
    expect(foundPeople("ames", reports).map(({ label }) => label)).toEqual([
      "Quinn Ames",
      "Rae Ames",
      "Ames",
    ]);
    expect(foundPeople("late", reports)).toEqual([]);
  });

  it("keeps an earlier result only if it contains the new text", () => {
    const found = foundReport(REPORT);
    for (const text of ["quinn a", "R-7F3A9", "late"]) expect(isNamed(found, text)).toBe(true);
    expect(isNamed(found, "audit")).toBe(false);
  });

  it("distinguishes reports by number, and users by masked address", () => {
    expect(foundReport(REPORT)).toEqual({
      group: "Reports",
      path: `/reports/${ID}`,
      label: "Quinn Ames",
      detail: "R-7F3A9-C21B0, Late",
    });
    const user = { id: ID, first_name: "", last_name: "", email: "q***@***" };
    expect(foundUser(user as never)).toMatchObject({
      path: `/users/${ID}`,
      label: "No name",
      detail: "q***@***",
    });
  });
});
