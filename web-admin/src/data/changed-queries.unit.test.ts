import { describe, expect, it } from "vitest";
import { ChangedQueries } from "./changed-queries.ts";

const query = (queryKey: readonly unknown[], options: object = {}) =>
  ({ queryKey, options }) as never;

describe("what the console reads again", () => {
  it("is each list that shows some of a resource, and the one thing that has changed", () => {
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

  it("is everything of a kind where things are not named, and everything after a long time", () => {
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

  it("is what shows who has which report, when that has changed alone", () => {
    const changed = new ChangedQueries();
    changed.add([{ resource: "queue" }]);
    expect(changed.concern(query(["queue"]))).toBe(true);
    expect(changed.concern(query(["reports", "getList", {}]))).toBe(false);
  });

  it("is never a page into which somebody types", () => {
    const changed = new ChangedQueries();
    changed.add(undefined);
    const typed = { refetchOnWindowFocus: false };
    expect(changed.concern(query(["content", "detail", "a"], typed))).toBe(false);
    expect(changed.concern(query(["settings"], typed))).toBe(false);
  });
});
