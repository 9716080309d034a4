import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { createReportTables } from "#read-model/tables/report.ts";
import {
  addressCorrected,
  decisionUndone,
  evidencePublished,
  evidenceReleased,
  evidenceWithheld,
  moderatorNoteWritten,
  reportApproved,
  reportDeleted,
  reportDeletionUndone,
  reportEdited,
  reportErased,
  reporterAnswered,
  reporterAsked,
  reporterErased,
  reportPutBack,
  reportRejected,
  reportStatusSet,
  reportSubmitted,
  reportTakenDown,
  submissionHeldBack,
  verificationResent,
  verificationWithdrawn,
  verifiedByHand,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import type { OpenedEvent } from "../../daemon/projection.ts";
import { folded, foldedBothWays, ID } from "../../testing/folded.ts";
import { erased, OpenedLog, positionAt, timeAt } from "../../testing/opened.ts";
import { figuresOf, reports } from "./report.ts";
import type { ReportRow } from "./report-row.ts";
import { addressChanges, goneReports, type SlugHasher } from "./reports.projection.ts";

function foldReports(
  loaded: ReadonlyMap<string, ReportRow>,
  events: readonly OpenedEvent[],
  slugHash: SlugHasher,
) {
  const changes = folded(reports, loaded, events);
  const addresses = addressChanges(events, slugHash);
  return {
    changed: changes.changed,
    removed: changes.removed,
    gone: goneReports(changes, { events }),
    addresses,
  };
}

/** Folds the events in one batch, then again one at a time. Row and addresses must be the same. */
function fold(...events: ReportEvent[]) {
  const { whole, steps, row } = foldedBothWays(
    events,
    (rows: ReadonlyMap<string, ReportRow>, batch) => foldReports(rows, batch, hash),
  );
  expect(row).toEqual(whole.changed.get(ID));
  expect(steps.flatMap(({ addresses }) => addresses)).toEqual(whole.addresses);
  const changes = whole.addresses.map(({ kind, ...change }) =>
    "slug_hash" in change ? `${kind} ${change.slug_hash}` : kind,
  );
  return { row, changes, removed: whole.gone.has(ID) };
}

/** In seconds. */
const DAY = 24 * 3600;
const hash = (slug: string) => `#${slug}`;

const chargeback = reportSubmitted({
  clear: {
    amount_cents: 41_250,
    chargeback_fee_cents: 2500,
    other_fees_cents: 100,
    chargebacks: [
      { amount_cents: 1000, chargeback_fee_cents: 200, date: "2026-05-03", reason: "fraudulent" },
      { amount_cents: 5 },
    ],
  },
  personal: {
    email: "quinn@example.net",
    phone: "+1 303 555 0142",
    middle_initial: "Z",
    first_6: "411111",
    last_4: "1234",
    tracking_number: "1Z999",
    chargebacks: [{ first_6: "555555", last_4: "4444", order_id: "A-1", notes: "secret" }, {}],
  },
  blind: { email: ["hash-1"] },
});

describe("a report's row", () => {
  it("lists the notices that hold the report and its pictures, and since when", () => {
    const [first, second] = [
      "33333333-3333-4333-8333-333333333333",
      "44444444-4444-4444-8444-444444444444",
    ];
    const [file, copy_id] = [
      "55555555-5555-4555-8555-555555555555",
      "66666666-6666-4666-8666-666666666666",
    ];
    const shown = [
      chargeback,
      evidencePublished(file, { copy_id }),
      reportApproved("pending", true),
    ];
    const down = [...shown, reportTakenDown(first), reportTakenDown(second)];
    const hold = (notice_id: string, position: number) => ({ notice_id, since: timeAt(position) });
    expect(fold(...down).row?.holds).toEqual([hold(first, 4), hold(second, 5)]);
    expect(fold(...down, reportPutBack(first, "under_review")).row?.holds).toEqual([
      hold(second, 5),
    ]);
    const hidden = [...shown, evidenceWithheld(copy_id, first), evidenceWithheld(copy_id, second)];
    const { copies, withheld, holds } = fold(...hidden).row ?? {};
    expect([copies, holds]).toEqual([[], []]);
    expect(withheld).toMatchObject([{ copy_id, holds: [hold(first, 4), hold(second, 5)] }]);
    const released = fold(...hidden, evidenceReleased(copy_id, first));
    expect(released.row?.withheld).toMatchObject([{ copy_id, holds: [hold(second, 5)] }]);
  });

  it("does not reveal that its reporter's address is suspended", () => {
    // Both events have one time in the log, as one command appends them.
    const shown = (...events: ReportEvent[]) => ({
      ...fold(...events).row,
      revision: 0,
      position: "",
      updated_at: "",
    });
    expect(shown(chargeback, submissionHeldBack())).toEqual(shown(chargeback));
  });

  it("has the reporter's question, its deadline, and when they answered", () => {
    const id = "22222222-2222-4222-8222-222222222222";
    const until = "2026-12-20T10:00:00.000Z";
    const asked = [chargeback, verifiedByLink(), reporterAsked(id, until, "Which carrier?")];
    expect(fold(...asked).row).toMatchObject({
      asked_until: until,
      answered_at: null,
      questions: [{ state: "open", question: "Which carrier?", answer: null, asked_at: timeAt(3) }],
    });
    const answered = [...asked, reporterAnswered(id, "The post.")];
    expect(fold(...answered).row).toMatchObject({
      asked_until: null,
      answered_at: timeAt(4),
      questions: [{ state: "answered", answer: "The post.", ended_at: timeAt(4) }],
    });
    expect(fold(...answered, reportRejected()).row?.answered_at).toBeNull();
    const reviewed = [reportStatusSet("under_review"), decisionUndone(4, "under_review")];
    expect(fold(...answered, ...reviewed).row?.answered_at).toBe(timeAt(4));
    const decided = [...answered, reportApproved()];
    expect(fold(...decided, decisionUndone(4)).row?.answered_at).toBe(timeAt(4));
    // A minute later it waits anew, and the answer no longer counts.
    const aMinute = Array.from({ length: 60 }, () => moderatorNoteWritten());
    const anew = [...decided, ...aMinute, reportStatusSet("pending", "approved"), ...reviewed];
    expect(fold(...anew).row?.answered_at).toBeNull();
    expect(fold(...asked, reportApproved()).row).toMatchObject({
      asked_until: null,
      questions: [{ state: "closed", ended_at: timeAt(4) }],
    });
    expect(fold(...answered, reporterErased()).row?.questions).toMatchObject([{ answer: null }]);
  });

  it("has moderators' notes, whose time only they see, and is gone once a note is erased", () => {
    const noted = fold(
      chargeback,
      moderatorNoteWritten("Seen before"),
      moderatorNoteWritten("Twice"),
    );
    expect(noted.row).toMatchObject({
      moderator_notes: [
        { note: "Seen before", at: timeAt(2), by: expect.any(String) },
        { note: "Twice", at: timeAt(3), by: expect.any(String) },
      ],
      updated_at: timeAt(1),
      revision: 2,
    });
    const erased = { type: "ModeratorNoteWritten", data: { personal: null } } as const;
    expect(fold(chargeback, erased).row).toBeUndefined();
  });

  it("follows a corrected address: its mask, and who may claim the report", () => {
    const corrected = fold(chargeback, addressCorrected("ann@right.example"));
    expect(corrected.row).toMatchObject({
      reporter_email_mask: "a***@***",
      reporter_blind: "keyed hash of ann@right.example",
      address_confirmed: false,
    });
    const confirmed = fold(chargeback, addressCorrected("ann@right.example"), verifiedByLink());
    expect(confirmed.row?.address_confirmed).toBe(true);
  });

  it("shows a submission's values, masked where required", () => {
    const { row } = fold(chargeback);
    expect(row).toMatchObject({
      id: ID,
      report_type: "chargeback",
      status: "pending",
      verified: false,
      slug: null,
      email_mask: "q***@***",
      phone_mask: "(***) ***-****",
      first_6: "411111",
      last_4: "1234",
      tracking_number: "1Z999",
      amount_cents: 41_250,
      total_due_cents: 45_055,
      reporter_email_mask: "r***@***",
      origin: "live",
      created_at: timeAt(1),
      updated_at: timeAt(1),
      approved_at: null,
      revision: 0,
      position: positionAt(1),
    });
    expect(row?.chargebacks).toEqual([
      {
        amount_cents: 1000,
        chargeback_fee_cents: 200,
        date: "2026-05-03",
        reason: "fraudulent",
        first_6: "555555",
        last_4: "4444",
        total_due_cents: 1200,
      },
      { amount_cents: 5, total_due_cents: 5 },
    ]);
  });

  it("has every column of its table", () => {
    const table = /create table \w+\.report \((.*?)\n {4}\);/s.exec(createReportTables("reports"));
    const columns = [...(table?.[1] ?? "").matchAll(/^ {6}(\w+) /gm)].map(([, name]) => name);
    expect(columns.length).toBeGreaterThan(40);
    expect(Object.keys(fold(chargeback).row ?? {}).toSorted()).toEqual(columns.toSorted());
  });

  it("can be found by its identifiers, whatever the name", () => {
    expect(fold(chargeback).row?.match_keys).toEqual(["email|hash-1"]);
  });

  it("contains no hidden data", () => {
    const text = JSON.stringify(fold(chargeback).row);
    for (const kept of ["quinn@example.net", "303", "80202", "A-1", "secret", "Rae", "Holt"])
      expect(text).not.toContain(kept);
    expect(fold(chargeback).row).not.toHaveProperty("middle_initial");
  });

  it("uses the check amount of a bad check as its amount, with no chargeback fee", () => {
    const { row } = fold(
      reportSubmitted({
        report_type: "bad_check",
        clear: { check_amount_cents: 8000, other_fees_cents: 1234 },
        personal: { bank_account: "000123456789" },
      }),
    );
    expect(row).toMatchObject({
      amount_cents: 8000,
      check_amount_cents: 8000,
      total_due_cents: 9234,
      bank_name: "First Example Bank",
      bank_account_mask: "****6789",
      check_reason: "nsf",
    });
    const edited = fold(
      reportSubmitted({ report_type: "bad_check" }),
      reportEdited({ set: { check_amount_cents: 50, other_fees_cents: 1 } }),
    );
    expect(edited.row).toMatchObject({
      amount_cents: 50,
      check_amount_cents: 50,
      total_due_cents: 51,
    });
  });

  it("marks what the sample loader wrote", () => {
    const log = new OpenedLog().report(ID, chargeback, { origin: "sample" });
    expect(foldReports(new Map(), log.take(), hash).changed.get(ID)?.origin).toBe("sample");
  });

  it("follows verification", () => {
    expect(fold(chargeback, verifiedByLink()).row?.verified).toBe(true);
    expect(fold(chargeback, verifiedByHand()).row?.verified).toBe(true);
    expect(fold(chargeback, verifiedByLink(), verificationWithdrawn()).row?.verified).toBe(false);
    const resent = fold(chargeback, verificationResent()).row;
    expect(resent).toMatchObject({ verified: false, revision: 1, updated_at: timeAt(2) });
  });

  it("follows the status, and keeps the reason while it is rejected", () => {
    const approved = fold(chargeback, reportApproved()).row;
    expect(approved).toMatchObject({ status: "approved", approved_at: timeAt(2) });
    const rejected = fold(chargeback, reportRejected("No proof")).row;
    expect(rejected).toMatchObject({ status: "rejected", rejection_reason: "No proof" });
    const byCode = { from: "pending", verified: true, reason_code: "no_evidence" } as const;
    const coded = fold(chargeback, { type: "ReportRejected", data: byCode }).row;
    expect(coded).toMatchObject({
      status: "rejected",
      rejection_reason: expect.stringMatching(/^It has no evidence/),
    });
    const again = fold(chargeback, reportRejected("No proof"), reportApproved("rejected")).row;
    expect(again).toMatchObject({ status: "approved", rejection_reason: null });
    const waiting = fold(chargeback, reportRejected("No"), reportStatusSet("under_review")).row;
    expect(waiting).toMatchObject({ status: "under_review", rejection_reason: null });
    const withdrawn = fold(chargeback, reportApproved(), reportStatusSet("pending", "approved"));
    expect(withdrawn.row).toMatchObject({ status: "pending", approved_at: timeAt(2) });
  });

  it("applies edits of amounts, texts, masks and the reporter", () => {
    const { row, changes } = fold(
      chargeback,
      reportEdited({
        set: { amount_cents: 1, currency: "EUR" },
        cleared: ["chargeback_fee_cents", "transaction_date"],
        personal: {
          set: { title: "New", email: "other@example.org" },
          cleared: ["phone", "tracking_number"],
          blind: { email: ["hash-2"] },
        },
        reporter: { set: { reporter_email: "ann@mail.example" } },
      }),
    );
    expect(row).toMatchObject({
      title: "New",
      email_mask: "o***@***",
      phone_mask: null,
      tracking_number: null,
      currency: "EUR",
      amount_cents: 1,
      chargeback_fee_cents: null,
      transaction_date: null,
      total_due_cents: 1306,
      reporter_email_mask: "a***@***",
      blind: { email: ["hash-2"] },
      slug: null,
      revision: 1,
    });
    expect(row?.match_keys).toEqual(["email|hash-2"]);
    expect(changes).toEqual([]);
  });

  it("keeps the cards of additional chargebacks when only amounts change, and vice versa", () => {
    const amounts = reportEdited({
      set: { chargebacks: [{ amount_cents: 7 }, { amount_cents: 8 }] },
    });
    expect(fold(chargeback, amounts).row?.chargebacks).toEqual([
      { amount_cents: 7, total_due_cents: 7, first_6: "555555", last_4: "4444" },
      { amount_cents: 8, total_due_cents: 8 },
    ]);
    const cards = reportEdited({ personal: { set: { chargebacks: [{}, { last_4: "9999" }] } } });
    expect(fold(chargeback, cards).row?.chargebacks).toMatchObject([
      { amount_cents: 1000 },
      { amount_cents: 5, last_4: "9999" },
    ]);
    expect(fold(chargeback, cards).row?.chargebacks[0]).not.toHaveProperty("last_4");
  });

  it("moves to a new address when renamed, and the old address is gone", () => {
    const rename = reportEdited({ personal: { set: { last_name: "Doe" }, slug: "quinn-doe" } });
    const approved = reportApproved("pending", true, "quinn-ames");
    const { row, changes } = fold(chargeback, approved, rename);
    expect(row).toMatchObject({ slug: "quinn-doe" });
    expect(changes).toEqual(["given #quinn-ames", "given #quinn-doe"]);
  });

  it("has no address before its first approval, and keeps it from then on", () => {
    const approved = reportApproved("pending", true, "quinn-ames");
    expect(fold(chargeback)).toMatchObject({ row: { slug: null }, changes: [] });
    expect(fold(chargeback, approved, reportStatusSet("pending", "approved"))).toMatchObject({
      row: { slug: "quinn-ames" },
      changes: ["given #quinn-ames"],
    });
    const again = fold(
      chargeback,
      approved,
      reportRejected(),
      reportApproved("rejected", true, null),
    );
    expect(again).toMatchObject({
      row: { slug: "quinn-ames" },
      changes: ["given #quinn-ames"],
    });
  });

  it("is set aside by a deletion, and removed by the erasure along with its address", () => {
    const approved = reportApproved("pending", true, "quinn-ames");
    const hidden = fold(chargeback, approved, reportDeleted("spam"));
    expect(hidden).toMatchObject({
      row: { deletion: { reason_code: "spam", by: expect.any(String) } },
      removed: true,
      changes: ["given #quinn-ames", "gone"],
    });
    expect(figuresOf(hidden.row as ReportRow)).toEqual([]);
    expect(fold(chargeback, approved, reportDeleted(), reportErased())).toEqual({
      row: undefined,
      removed: true,
      changes: ["given #quinn-ames", "gone", "gone"],
    });
  });

  it("is restored when its deletion is undone", () => {
    const approved = reportApproved("pending", true, "quinn-ames");
    const { updated_at, position, revision, ...before } = fold(chargeback, approved).row ?? {};
    const undone = fold(chargeback, approved, reportDeleted(), reportDeletionUndone("approved"));
    expect(undone.row).toMatchObject(before);
    expect(undone.row).not.toHaveProperty("deletion");
    expect(undone.removed).toBe(false);
    expect(undone.changes).toEqual(["given #quinn-ames", "gone", "back"]);
  });

  it("is never created for an erased person", () => {
    const { row, removed, changes } = fold(
      erased(chargeback),
      verifiedByLink(),
      erased(reportApproved("pending", true, "quinn-ames")),
      erased(reportRejected()),
      reportDeleted(),
    );
    expect(row).toBeUndefined();
    expect(removed).toBe(true);
    expect(changes).toEqual(["gone", "gone"]);
  });

  it("is removed as soon as an event shows that the person was erased", () => {
    const rename = reportEdited({ personal: { set: { last_name: "Doe" } } });
    expect(fold(chargeback, erased(rename)).removed).toBe(true);
    expect(fold(chargeback, erased(reportRejected())).removed).toBe(true);
  });

  it("loses the reporter's mask when the reporter is erased", () => {
    const gone = { ...chargeback, data: { ...chargeback.data, reporter: null } } as ReportEvent;
    expect(fold(gone).row).toMatchObject({ reporter_email_mask: null, first_name: "Quinn" });
    const edit = reportEdited({ set: { amount_cents: 1 }, reporter: {} });
    const later = { ...edit, data: { ...edit.data, reporter: null } } as ReportEvent;
    expect(fold(chargeback, later).row?.reporter_email_mask).toBeNull();
    const alone = fold(chargeback, { type: "ReporterErased", data: {} });
    expect(alone.row).toMatchObject({ reporter_email_mask: null, first_name: "Quinn" });
  });

  it("records when it was decided, until it waits again", () => {
    expect(fold(chargeback).row?.decided_at).toBeNull();
    expect(fold(chargeback, verifiedByLink(), reportApproved()).row?.decided_at).toBe(timeAt(3));
    const rejected = [chargeback, reportApproved(), reportRejected("No.", "approved")];
    expect(fold(...rejected).row?.decided_at).toBe(timeAt(3));
    const waits = reportStatusSet("under_review", "rejected");
    expect(fold(...rejected, waits).row?.decided_at).toBeNull();
  });

  it("gets its times back once a decision is undone", () => {
    const log = new OpenedLog();
    const on = (day: number, event: ReportEvent) =>
      log.report(ID, event, { time: timeAt(day * DAY) });
    const rowOf = () => folded(reports, new Map(), log.events).changed.get(ID);
    const data = { verified: true, undoes: { revision: 2 } };
    on(0, chargeback);
    on(1, reportRejected("No."));
    on(30, reportApproved("rejected"));
    on(30, { type: "ReportRejected", data: { ...data, from: "approved", reason_code: "other" } });
    const rejected = { waiting_since: timeAt(0), settled_at: timeAt(DAY), decided_at: timeAt(DAY) };
    expect(rowOf()).toMatchObject({ status: "rejected", ...rejected });
    on(60, reportStatusSet("pending", "rejected"));
    expect(rowOf()).toMatchObject({ waiting_since: timeAt(60 * DAY), settled_at: null });
    const undoes = { revision: 4 };
    const again = { ...data, from: "pending", reason_code: "other", undoes } as const;
    on(60, { type: "ReportRejected", data: again });
    expect(rowOf()).toMatchObject({ status: "rejected", ...rejected });
  });

  it("belongs to the account that submitted it, until the reporter is erased", () => {
    const owner = { id: "22222222-2222-4222-8222-222222222222", role: "user" } as const;
    const admin = { id: "33333333-3333-4333-8333-333333333333", role: "admin" } as const;
    const log = new OpenedLog().report(ID, chargeback, { actor: owner });
    log.report(ID, reportApproved(), { actor: admin });
    const row = foldReports(new Map(), log.events, hash).changed.get(ID);
    expect(row).toMatchObject({ owner_id: owner.id, owned_since: positionAt(1) });
    log.report(ID, { type: "ReporterErased", data: {} });
    const nobodys = { owner_id: null, owned_since: null };
    expect(foldReports(new Map(), log.events, hash).changed.get(ID)).toMatchObject(nobodys);
    expect(fold(chargeback).row).toMatchObject(nobodys);
  });

  it("ignores other streams", () => {
    const log = new OpenedLog().add("log", { type: "LogStarted", data: {} });
    expect(foldReports(new Map(), log.take(), hash).changed.size).toBe(0);
  });

  it("does not change the loaded rows", () => {
    const log = new OpenedLog().report(ID, chargeback).report(ID, reportApproved());
    const [submitted, approved] = log.take();
    const before = foldReports(new Map(), submitted ? [submitted] : [], hash).changed;
    const copy = structuredClone(before.get(ID));
    foldReports(before, approved ? [approved] : [], hash);
    expect(before.get(ID)).toEqual(copy);
  });
});
