import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import {
  reportApproved,
  reportDeleted,
  reportDeletionUndone,
  reportEdited,
  reportErased,
  reportRejected,
  reportStatusSet,
  reportSubmitted,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import type { OpenedEvent } from "../../daemon/projection.ts";
import type { Step } from "../../keyed/tallies.ts";
import { folded, foldedBothWays, ID } from "../../testing/folded.ts";
import {
  erased,
  OpenedLog,
  positionAt,
  testKeys,
  timeAt,
  withoutKeys,
} from "../../testing/opened.ts";
import { noteStep, type SourceRow, sources, type Touched, writesOf } from "./search.projection.ts";

const keys = testKeys();

function foldSources(
  loaded: ReadonlyMap<string, SourceRow>,
  events: readonly OpenedEvent[],
  lookups = keys,
) {
  const touched: Touched = new Map();
  const note = (step: Step<SourceRow>) => noteStep(touched, step);
  const changes = folded(sources, loaded, events, lookups, note);
  return { ...changes, writes: writesOf(changes, touched, { events, keys: lookups }) };
}

/** Folds the events in one batch, then again one at a time. The last write must be the same. */
function fold(...events: ReportEvent[]) {
  const { whole, steps, row } = foldedBothWays<SourceRow, ReturnType<typeof foldSources>>(
    events,
    foldSources,
  );
  const writes = steps.flatMap((step) => step.writes);
  const plain = (given: SourceRow | undefined) => given && { ...given, texts: undefined };
  expect(plain(row)).toEqual(plain(whole.changed.get(ID)));
  expect(whole.writes.at(-1)).toEqual(writes.at(-1));
  return { row: whole.changed.get(ID), write: whole.writes.at(-1), writes };
}

const submitted = reportSubmitted({
  clear: { amount_cents: 500, chargebacks: [{ amount_cents: 1, reason: "fraudulent" }] },
  personal: { email: "quinn@example.net", phone: "303 555 0142" },
  blind: { email: ["e"], phone: ["p"], card: ["c"] },
});

describe("search documents", () => {
  it("do not exist before an approval, and their texts stay sealed", () => {
    const { row, writes } = fold(submitted, verifiedByLink());
    expect(writes).toEqual([]);
    expect(row?.approved).toBe(false);
    expect(JSON.stringify(row)).not.toMatch(/quinn|denver|disputed/i);
  });

  it("contain public data and keyed hashes once approved", () => {
    const { write, row } = fold(submitted, reportApproved());
    expect(write).toEqual({
      op: "upsert",
      position: positionAt(2),
      document: {
        id: ID,
        first_name: "Quinn",
        last_name: "Ames",
        title: "Disputed a delivered order",
        description: "Signed for the parcel, then disputed the charge.",
        city: "Denver",
        state: "CO",
        country: "US",
        amount_cents: 500,
        reasons: ["services_received", "fraudulent"],
        submitted_at: timeAt(1),
        blind: { email: ["e"], phone: ["p"] },
      },
    });
    expect(row?.approved).toBe(true);
  });

  it("of bad checks use the check's amount and reason", () => {
    const { write } = fold(reportSubmitted({ report_type: "bad_check" }), reportApproved());
    expect(write).toMatchObject({
      document: { amount_cents: 8000, reasons: ["nsf"] },
    });
  });

  it("follow edits, made before and after the approval", () => {
    const edit = reportEdited({
      set: { amount_cents: 7, chargebacks: [] },
      cleared: ["chargeback_reason"],
      personal: { set: { title: "New" }, blind: { phone: ["q"] } },
    });
    const expected = {
      title: "New",
      city: "Denver",
      amount_cents: 7,
      reasons: [],
      blind: { email: [], phone: ["q"] },
    };
    const before = fold(submitted, edit, reportApproved()).write;
    expect(before).toMatchObject({ position: positionAt(3), document: expected });
    const after = fold(submitted, reportApproved(), edit).write;
    expect(after).toMatchObject({ position: positionAt(3), document: expected });
  });

  it("are rewritten by an edit of amounts alone", () => {
    const edit = reportEdited({ set: { amount_cents: 9 } });
    expect(fold(submitted, reportApproved(), edit).write).toMatchObject({
      document: { amount_cents: 9, title: "Disputed a delivered order" },
    });
    expect(fold(submitted, edit).writes).toEqual([]);
  });

  it("are removed when the report is no longer approved, and come back", () => {
    const gone = { op: "delete", position: positionAt(3), id: ID };
    expect(fold(submitted, reportApproved(), reportRejected()).write).toEqual(gone);
    expect(fold(submitted, reportApproved(), reportStatusSet("pending")).write).toEqual(gone);
    const back = fold(submitted, reportApproved(), reportRejected(), reportApproved("rejected"));
    expect(back.write).toMatchObject({ op: "upsert", position: positionAt(4) });
    expect(fold(submitted, reportRejected()).writes).toEqual([]);
  });

  it("are removed by a deletion, and restored when it is undone", () => {
    const undone = fold(
      submitted,
      reportApproved(),
      reportDeleted(),
      reportDeletionUndone("approved"),
    );
    expect(undone.write).toMatchObject({ op: "upsert", position: positionAt(4) });
    const never = fold(submitted, reportDeleted(), reportDeletionUndone());
    expect(never.writes).toMatchObject([{ op: "delete", id: ID }]);
  });

  it("are removed by a deletion, and their sources by the erasure", () => {
    const hidden = fold(submitted, reportApproved(), reportDeleted());
    expect(hidden.write).toEqual({ op: "delete", position: positionAt(3), id: ID });
    const { row, write } = fold(submitted, reportApproved(), reportErased());
    expect(row).toBeUndefined();
    expect(write).toEqual({ op: "delete", position: positionAt(3), id: ID });
    const never = fold(submitted, reportDeleted());
    expect(never.writes).toMatchObject([{ op: "delete", id: ID }]);
  });

  it("are never created for an erased person, and removed when an event shows the erasure", () => {
    expect(fold(erased(submitted), reportApproved()).writes).toEqual([]);
    const remembered = { op: "delete", position: positionAt(3), id: ID };
    expect(fold(erased(submitted), reportApproved(), reportDeleted()).writes).toEqual([remembered]);
    const edit = reportEdited({ personal: { set: { title: "x" } } });
    expect(fold(submitted, reportApproved(), erased(edit)).write?.op).toBe("delete");
    expect(fold(submitted, reportApproved(), erased(reportRejected())).write?.op).toBe("delete");
    const log = new OpenedLog().report(ID, submitted).report(ID, reportApproved());
    const [first, second] = log.take();
    const rows = foldSources(new Map(), first ? [first] : []).changed;
    const after = foldSources(rows, second ? [second] : [], withoutKeys(keys, [ID]));
    expect(after).toMatchObject({ removed: new Set([ID]), writes: [] });
  });
});
