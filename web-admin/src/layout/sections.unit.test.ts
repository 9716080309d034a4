import { expect, it } from "vitest";
import { isClosedTo, searchedPages, sectionFor, sections } from "./sections.ts";

const history = "/reports/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed/history";

it.each([
  ["admin", "/", "Dashboard"],
  ["admin", "/analytics", "Analytics"],
  ["auditor", "/analytics", undefined],
  ["admin", "/queue", "Queue"],
  ["auditor", "/queue", undefined],
  ["admin", "/reports", "Reports"],
  ["admin", history, "Reports"],
  ["admin", "/audit-logs", "Audit logs"],
  ["auditor", "/audit-logs", "Audit logs"],
  ["admin", "/resolutions", "RESOLVED requests"],
  ["auditor", "/resolutions", undefined],
  ["admin", "/users/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "Users"],
  ["auditor", "/users", undefined],
  ["admin", "/content/new", "Content"],
  ["auditor", "/content", undefined],
  ["admin", "/templates/approved/shipped", "Email Templates"],
  ["auditor", "/templates", undefined],
  ["admin", "/system", "System"],
  ["auditor", "/system", undefined],
  ["admin", "/test", "System"],
  ["auditor", "/test", undefined],
  ["auditor", history, "Audit logs"],
  ["auditor", "/reports", undefined],
  ["auditor", history.replace("history", "edit"), undefined],
  ["admin", "/reports-and-more", undefined],
] as const)("for role %s, %s belongs to section %s", (role, path, link) => {
  expect(sectionFor(role, path)?.link).toBe(link);
});

it.each(["/queue", "/reports", "/users/1", "/system", "/settings", "/mails", "/test"])(
  "%s is closed to auditors and open to admins",
  (path) => {
    expect([isClosedTo("auditor", path), isClosedTo("admin", path)]).toEqual([true, false]);
  },
);

it.each(["/", "/audit-logs", history, "/access-denied", "/no-such-page"])(
  "%s is open to everyone",
  (path) => {
    expect([isClosedTo("auditor", path), isClosedTo("admin", path)]).toEqual([false, false]);
  },
);

it("search finds every section of the role, and the connectivity test for admins", () => {
  const found = searchedPages("admin").map(({ link }) => link);
  expect(found).toEqual([...sections.map(({ link }) => link), "Connectivity test"]);
  expect(searchedPages("auditor").map(({ link }) => link)).toEqual(["Audit logs"]);
});
