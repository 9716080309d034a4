import { describe, expect, it } from "vitest";
import { reportEvents } from "#contracts/events/index.ts";
import type { HistoryEntry } from "#contracts/http/admin-reports.ts";
import type { ReportHistory } from "../data/console-data-provider.ts";
import { historyDays, nameInHistory, sentencesOf } from "./history-sentences.ts";

const DANA = { id: "a1", role: "admin", name: "Dana Ruiz" };
const VISITOR = { id: "visitor", role: "visitor" };

function entry(type: string, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id: `${type}-${more.revision ?? 0}`,
    revision: 0,
    position: "1",
    type,
    command: "",
    at: "2026-05-02T14:05:00.000Z",
    actor: DANA,
    origin: "live",
    status: "pending",
    verified: true,
    changes: [],
    hash: "0".repeat(64),
    ...more,
  };
}

const texts = (e: HistoryEntry, currency = "USD") => sentencesOf(e, currency).map((s) => s.text);
const edited = (...changes: HistoryEntry["changes"]) => entry("ReportEdited", { changes });

describe("sentences of the history", () => {
  it("show a changed amount as money, with old and new value", () => {
    expect(texts(edited({ field: "amount", from: 412.5, to: 480 }))).toEqual([
      "Dana Ruiz changed the amount, $412.50 to $480.00",
    ]);
  });

  it("describe each change of an edit without codes", () => {
    const sentences = texts(
      edited(
        { field: "chargeback_reason", from: "fraudulent", to: "product_not_received" },
        { field: "zip", hidden: true },
        { field: "transaction_date", to: "2026-05-02" },
        { field: "phone", from: "(***) ***-****" },
        { field: "resolution_status", from: "unresolved", to: "partially_resolved" },
        { field: "chargebacks", from: [], to: [{ amount: 1 }, { amount: 2 }] },
      ),
    );
    expect(sentences).toEqual([
      "Dana Ruiz changed the chargeback reason, Fraudulent to Product not received",
      "Dana Ruiz changed the ZIP (hidden)",
      "Dana Ruiz added the transaction date, May 2, 2026",
      "Dana Ruiz removed the phone, (***) ***-****",
      "Dana Ruiz changed the resolution status, Unresolved to Partially resolved",
      "Dana Ruiz changed the additional chargebacks, None to 2 entries",
    ]);
  });

  it("give the reason for a deleted file", () => {
    const deleted = entry("EvidenceDeleted", { reason_code: "illegible", reason: "Blank page" });
    expect(texts(deleted)).toEqual(["Dana Ruiz deleted a file (illegible): “Blank page”"]);
  });

  it("keep long texts separate", () => {
    const long = "The customer disputed the charge three weeks after the delivery was signed for.";
    expect(sentencesOf(edited({ field: "description", from: "Short", to: long }), "USD")).toEqual([
      { text: "Dana Ruiz changed the description", before: "Short", after: long },
    ]);
  });

  it('don\'t say "X to X" if masks hide the difference', () => {
    expect(texts(edited({ field: "email", from: "q***@***", to: "q***@***" }))).toEqual([
      "Dana Ruiz changed the email",
    ]);
  });

  it("describe a report's whole life cycle", () => {
    expect(texts(entry("ReportSubmitted", { actor: VISITOR }))).toEqual([
      "A visitor submitted the report",
    ]);
    expect(texts(entry("ReportApproved"))).toEqual(["Dana Ruiz approved the report"]);
    expect(texts(entry("ReportApproved", { verified: false }))).toEqual([
      "Dana Ruiz approved the report before the email address was confirmed",
    ]);
    expect(texts(entry("ReportStatusSet", { status: "under_review" }))).toEqual([
      "Dana Ruiz put the report under review",
    ]);
    expect(texts(entry("ReportStatusSet", { status: "pending" }))).toEqual([
      "Dana Ruiz returned the report to pending",
    ]);
    expect(texts(entry("ReportRejected", { reason: "No proof" }))).toEqual([
      "Dana Ruiz rejected the report: “No proof”",
    ]);
    expect(texts(entry("ReportRejected", { reason_code: "no_evidence" }))).toEqual([
      expect.stringMatching(/ rejected the report: no evidence$/),
    ]);
    expect(texts(entry("ReportRejected", { reason_code: "made_later" }))).toEqual([
      expect.stringMatching(/ rejected the report: made later$/),
    ]);
    const both = { reason_code: "no_evidence", reason: "No letter" };
    expect(texts(entry("ReportRejected", both))).toEqual([
      expect.stringMatching(/ rejected the report \(no evidence\): “No letter”$/),
    ]);
    expect(texts(entry("ReportDeleted", { reason_code: "court_order" }))).toEqual([
      "Dana Ruiz deleted the report: court order",
    ]);
  });

  it("cover every event type of a report's stream", () => {
    for (const { type } of reportEvents) {
      const [first] = texts(entry(type));
      expect(first, type).not.toMatch(/: report |undefined|_/);
      expect(first, type).toMatch(/^(Dana Ruiz|The reporter) [a-z]/);
    }
  });

  it("spell out the name of an unknown event", () => {
    expect(texts(entry("ReportResolvedByFee"))).toEqual(["Dana Ruiz: report resolved by fee"]);
  });

  it("still read well once the person is erased", () => {
    expect(texts(entry("ReportRejected"))).toEqual(["Dana Ruiz rejected the report"]);
    expect(texts(entry("ReportEdited"))).toEqual(["Dana Ruiz edited the report"]);
    const change = edited({ field: "first_name", hidden: true });
    expect(sentencesOf(change, "USD", true)).toEqual([
      { text: "Dana Ruiz changed the first name (since erased)" },
    ]);
  });
});

describe("the days of a history", () => {
  const history: ReportHistory = {
    report_id: "r1",
    erased: false,
    events: [
      entry("ReportSubmitted", {
        actor: VISITOR,
        ip_address: "203.0.x.x",
        user_agent: "Firefox on Linux",
        changes: [{ field: "currency", to: "EUR" }],
        at: "2026-05-01T23:30:00.000Z",
      }),
      entry("ReportEdited", { revision: 1, changes: [{ field: "amount", from: 1, to: 2 }] }),
      entry("ReportApproved", { revision: 2 }),
    ],
    reveals: [{ id: "v1", at: "2026-05-02T14:04:00.000Z", actor: DANA, ip_address: "10.0.x.x" }],
  };

  it("are sorted newest first and include reveals of hidden data", () => {
    const days = historyDays(history, "UTC");
    expect(days.map(({ label }) => label)).toEqual([
      "Saturday, May 2, 2026",
      "Friday, May 1, 2026",
    ]);
    expect(days[0]?.lines.map(({ sentences }) => sentences[0]?.text)).toEqual([
      "Dana Ruiz approved the report",
      "Dana Ruiz changed the amount, €1.00 to €2.00",
      "Dana Ruiz revealed the hidden data",
    ]);
    expect(days[0]?.lines.map(({ entry: e }) => e?.revision)).toEqual([2, 1, undefined]);
    expect(days[1]?.lines[0]?.from).toBe("Visitor, 203.0.x.x, Firefox on Linux");
  });

  it("follow the reader's time zone", () => {
    expect(historyDays(history, "Asia/Tokyo")).toHaveLength(1);
  });

  it("give the person's latest name, and none after an erasure", () => {
    const named = (first: string, last: string) =>
      edited({ field: "first_name", to: first }, { field: "last_name", to: last });
    expect(
      nameInHistory([
        named("Quin", "Ames"),
        edited({ field: "first_name", from: "Quin", to: "Quinn" }),
      ]),
    ).toBe("Quinn Ames");
    expect(nameInHistory([entry("ReportSubmitted")])).toBe("");
  });
});
