import { describe, expect, it } from "vitest";
import { Collected, NAMED_AT_MOST } from "./changes.routes.ts";

const collected = (...names: readonly string[]) => {
  const changes = new Collected();
  for (const name of names) changes.addStream(name);
  return changes;
};

describe("a reported change", () => {
  it("is listed once per item, by the kind of its stream", () => {
    const changes = collected("report-a", "report-b", "report-a", "notice-c", "user-d", "settings");
    expect(changes.for("admin")).toEqual([
      { resource: "reports", id: "a" },
      { resource: "reports", id: "b" },
      { resource: "audit-logs" },
      { resource: "inquiries", id: "c" },
      { resource: "users", id: "d" },
      { resource: "settings" },
    ]);
  });

  it("affects only the audit log for sessions, reveals, refusals and the log itself", () => {
    const changes = collected("session-a", "access-b", "security-c", "log");
    expect(changes.for("admin")).toEqual([{ resource: "audit-logs" }]);
  });

  it("of the queue is for admins only", () => {
    const changes = new Collected();
    changes.add({ resource: "queue" });
    expect(changes.for("admin")).toEqual([{ resource: "queue" }]);
    expect(changes.for("auditor")).toEqual([]);
  });

  it("is a single entry when there are too many items to name", () => {
    const many = Array.from({ length: NAMED_AT_MOST }, (_, i) => `report-${i}`);
    expect(collected(...many).for("admin")).toHaveLength(NAMED_AT_MOST + 1);
    expect(collected(...many, "report-x", "report-y").for("admin")).toEqual([
      { resource: "reports" },
      { resource: "audit-logs" },
    ]);
  });

  it("is nothing for users, and only the audit log for auditors", () => {
    const changes = collected("report-a", "user-b", "content-c", "template-d");
    expect(changes.for("user")).toEqual([]);
    expect(changes.for("auditor")).toEqual([{ resource: "audit-logs" }]);
    changes.clear();
    expect(changes.isEmpty).toBe(true);
  });
});
