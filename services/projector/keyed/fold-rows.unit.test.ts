import { describe, expect, it } from "vitest";
import {
  reportApproved,
  reportDeleted,
  reportSubmitted,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { folded } from "../testing/folded.ts";
import { OpenedLog } from "../testing/opened.ts";
import { handledKey, type ReadModel } from "./read-model.ts";
import type { Step } from "./tallies.ts";

interface Row {
  readonly id: string;
  readonly approvals: number;
}

const counted: ReadModel<Row, "ReportSubmitted" | "ReportApproved" | "ReportDeleted"> = {
  table: { name: "row", key: "id" },
  handles: ["ReportSubmitted", "ReportApproved", "ReportDeleted"],
  keyOf: ({ stream }) => (stream === "other" ? undefined : stream),
  evolve(row, { key, event }) {
    if (event.type === "ReportDeleted") return undefined;
    if (event.type === "ReportSubmitted") return { id: key, approvals: 0 };
    return row && row.approvals < 2 ? { ...row, approvals: row.approvals + 1 } : row;
  },
};

function fold(loaded: readonly Row[], log: OpenedLog) {
  const steps: Step<Row>[] = [];
  const rows = new Map(loaded.map((row) => [row.id, row]));
  const changes = folded(counted, rows, log.take(), new Map(), (step) => steps.push(step));
  return { ...changes, steps };
}

describe("rows folded by key", () => {
  it("hold the result of all their key's events, one row for many events", () => {
    const log = new OpenedLog()
      .add("a", reportSubmitted())
      .add("b", reportSubmitted())
      .add("a", reportApproved())
      .add("a", reportApproved());
    const { changed, removed } = fold([], log);
    expect([...changed.values()]).toEqual([
      { id: "a", approvals: 2 },
      { id: "b", approvals: 0 },
    ]);
    expect(removed.size).toBe(0);
  });

  it("continue from the loaded rows, without changing those", () => {
    const loaded = Object.freeze({ id: "a", approvals: 1 });
    const { changed, steps } = fold([loaded], new OpenedLog().add("a", reportApproved()));
    expect(changed.get("a")).toEqual({ id: "a", approvals: 2 });
    expect(steps).toMatchObject([{ key: "a", before: loaded, after: { approvals: 2 } }]);
  });

  it("are not written when they are unchanged, nor removed when there was none", () => {
    const log = new OpenedLog().add("a", reportApproved()).add("b", reportDeleted());
    expect(fold([{ id: "a", approvals: 2 }], log)).toMatchObject({
      changed: new Map(),
      removed: new Set(),
      steps: [],
    });
  });

  it("can be removed, even if created in the same batch, and created again", () => {
    const log = new OpenedLog()
      .add("a", reportDeleted())
      .add("a", reportApproved())
      .add("b", reportSubmitted())
      .add("b", reportDeleted())
      .add("c", reportDeleted())
      .add("c", reportSubmitted());
    const { changed, removed } = fold([{ id: "a", approvals: 0 }], log);
    expect([...removed]).toEqual(["a", "b"]);
    expect([...changed.keys()]).toEqual(["c"]);
  });

  it("get no event that is not handled or has no row", () => {
    const log = new OpenedLog().add("a", verifiedByLink()).add("other", reportApproved());
    expect(log.events.map(({ stored }) => handledKey(counted, stored))).toEqual([
      undefined,
      undefined,
    ]);
    expect(fold([{ id: "a", approvals: 0 }], log).steps).toEqual([]);
  });
});
