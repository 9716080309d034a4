import { describe, expect, it } from "vitest";
import { ChangedQueries } from "./changed-queries.ts";

const query = (queryKey: readonly unknown[], options: object = {}) =>
  ({ queryKey, options }) as never;

describe("the queries to refetch", () => {
  it("are every list that shows a changed resource, and the changed record itself", () => {
    const changed = new ChangedQueries();
    changed.add([{ resource: "reports", id: "a" }, { resource: "audit-logs" }]);
    for (const key of [
      ["reports", "getList", { page: 1 }],
      ["reports", "counts"],
      ["reports", "getOne", { id: "a", meta: { isWhole: true } }],
      ["reports", "history", "a", 3, null],
      ["reports", "getOne", { id: "a", meta: {} }],
      ["dashboard"],
      ["queue"],
      ["audit-logs", "getList", {}],
    ])
      expect([key, changed.concern(query(key))]).toEqual([key, true]);
    for (const key of [
      ["reports", "getOne", { id: "b", meta: { isWhole: true } }],
      ["reports", "history", "b", 3, null],
      ["reports", "getOne", { id: "b", meta: {} }],
      ["users", "getList", {}],
      ["analytics", "30d"],
      ["search", "ames"],
    ])
      expect([key, changed.concern(query(key))]).toEqual([key, false]);
  });

  it("are all of a resource if no IDs are given, and everything after a long gap", () => {
    const changed = new ChangedQueries();
    changed.add([{ resource: "reports", id: "a" }, { resource: "reports" }]);
    expect(changed.concern(query(["reports", "getOne", { id: "b", meta: {} }]))).toBe(true);
    expect(changed.concern(query(["users", "getOne", "b"]))).toBe(false);
    changed.add([{ resource: "inquiries", id: "a" }]);
    expect(changed.concern(query(["notices", "list"]))).toBe(true);
    changed.add(undefined);
    expect(changed.concern(query(["users", "getOne", "b"]))).toBe(true);
    changed.clear();
    expect(changed.isEmpty).toBe(true);
    expect(changed.concern(query(["reports", "counts"]))).toBe(false);
  });

  it("are only those showing claims if only claims changed", () => {
    const changed = new ChangedQueries();
    changed.add([{ resource: "queue" }]);
    expect(changed.concern(query(["queue"]))).toBe(true);
    expect(changed.concern(query(["reports", "getList", {}]))).toBe(false);
  });

  it("never include a page with a form", () => {
    const changed = new ChangedQueries();
    changed.add(undefined);
    const typed = { refetchOnWindowFocus: false };
    expect(changed.concern(query(["content", "detail", "a"], typed))).toBe(false);
    expect(changed.concern(query(["settings"], typed))).toBe(false);
  });
});
