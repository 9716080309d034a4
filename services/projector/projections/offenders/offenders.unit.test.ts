import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { identityKeys } from "#search/matching.ts";
import {
  reportApproved,
  reportDeleted,
  reportDeletionUndone,
  reportEdited,
  reportErased,
  reportRejected,
  reportStatusSet,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { folded, foldedBothWays, ID } from "../../testing/folded.ts";
import { erased, OpenedLog, testKeys, timeAt, withoutKeys } from "../../testing/opened.ts";
import { sharesOf, storedKeys } from "../of-reports.ts";
import { type MemberRow, members, owedCents, personsOf } from "./offenders.projection.ts";

const keys = testKeys();
const blind = { email: ["hash-1"] };
const quinn = { first_name: "Quinn", last_name: "Ames" };

/** Folds the events in one batch, then again one at a time. The row must be the same. */
function fold(...events: ReportEvent[]): MemberRow | undefined {
  const { whole, row } = foldedBothWays(events, (rows: ReadonlyMap<string, MemberRow>, batch) =>
    folded(members, rows, batch, keys),
  );
  const plain = (given: MemberRow | undefined) => given && { ...given, identity: undefined };
  expect(plain(row)).toEqual(plain(whole.changed.get(ID)));
  return whole.changed.get(ID);
}

const submitted = reportSubmitted({
  clear: {
    amount_cents: 1000,
    chargeback_fee_cents: 20,
    other_fees_cents: 3,
    chargebacks: [{ amount_cents: 100, other_fees_cents: 5 }, { amount_cents: 1 }],
  },
  blind,
});

describe("a member", () => {
  it("names no one in the clear before it is approved", () => {
    const row = fold(submitted);
    expect(row).toMatchObject({
      approved: false,
      keys: [],
      person_id: null,
      created_at: timeAt(1),
    });
    expect(JSON.stringify(row)).not.toMatch(/quinn|ames|hash-1/i);
  });

  it("has keys only while it is approved", () => {
    expect(fold(submitted, reportApproved())).toMatchObject({
      approved: true,
      keys: identityKeys({ ...quinn, blind }),
    });
    for (const end of [reportRejected(), reportStatusSet("pending", "approved")])
      expect(fold(submitted, reportApproved(), end)).toMatchObject({ approved: false, keys: [] });
  });

  it("owes its own amounts and the additional chargebacks", () => {
    expect(owedCents(fold(submitted) as MemberRow)).toBe(1129);
    const bad = reportSubmitted({
      report_type: "bad_check",
      clear: { check_amount_cents: 500, other_fees_cents: 7 },
    });
    expect(owedCents(fold(bad) as MemberRow)).toBe(507);
    const edited = fold(
      submitted,
      reportEdited({
        set: { amount_cents: 1, currency: "GBP", chargebacks: [], other_fees_cents: 9 },
        cleared: ["chargeback_fee_cents"],
      }),
    ) as MemberRow;
    expect([owedCents(edited), edited.currency]).toEqual([10, "GBP"]);
    const check = fold(bad, reportEdited({ set: { check_amount_cents: 1 } })) as MemberRow;
    expect(owedCents(check)).toBe(8);
  });

  it("follows edits of name and identifiers, combined with the unchanged parts", () => {
    const renamed = reportEdited({ personal: { set: { first_name: "Quentin" } } });
    expect(fold(submitted, reportApproved(), renamed)?.keys).toEqual(
      identityKeys({ ...quinn, first_name: "Quentin", blind }),
    );
    const moved = reportEdited({
      personal: { set: { last_name: "Orr" }, blind: { phone: ["p"] } },
    });
    expect(fold(submitted, renamed, moved, reportApproved())?.keys).toEqual(
      identityKeys({ first_name: "Quentin", last_name: "Orr", blind: { phone: ["p"] } }),
    );
    const title = reportEdited({ personal: { set: { title: "Other" } } });
    expect(fold(submitted, reportApproved(), title)?.keys).toHaveLength(1);
  });

  it("belongs to no one while the report is deleted, and is restored when that is undone", () => {
    const before = fold(submitted, reportApproved());
    const hidden = fold(submitted, reportApproved(), reportDeleted());
    expect(hidden).toMatchObject({ approved: false, keys: [] });
    const undone = fold(
      submitted,
      reportApproved(),
      reportDeleted(),
      reportDeletionUndone("approved"),
    );
    expect(undone).toMatchObject({ approved: true, keys: before?.keys });
  });

  it("is removed when the report or the person is erased", () => {
    expect(fold(submitted, reportApproved(), reportDeleted(), reportErased())).toBeUndefined();
    expect(fold(erased(submitted), reportApproved(), reportErased())).toBeUndefined();
    expect(fold(submitted, erased(reportRejected()))).toBeUndefined();
    const edit = reportEdited({ personal: { set: { title: "x" } } });
    expect(fold(submitted, reportApproved(), erased(edit))).toBeUndefined();
  });

  it("is removed when an approval finds the key destroyed", () => {
    const log = new OpenedLog().report(ID, submitted).report(ID, reportApproved());
    const [first, second] = log.take();
    const rows = folded(members, new Map(), first ? [first] : [], keys).changed;
    const gone = folded(members, rows, second ? [second] : [], withoutKeys(keys, [ID]));
    expect(gone.removed.has(ID)).toBe(true);
  });
});

function member(id: string, over: Partial<MemberRow>): MemberRow {
  return {
    report_id: id,
    approved: true,
    person_id: null,
    identity: { key: "", box: "" },
    keys: [],
    report_type: "chargeback",
    currency: "USD",
    amount_cents: 100,
    chargeback_fee_cents: 0,
    other_fees_cents: 0,
    chargebacks_cents: 0,
    created_at: timeAt(1),
    ...over,
  };
}

describe("stored keys", () => {
  it("of very long names fit into an index, and still identify what is shared", () => {
    const named = { first_name: "ß".repeat(100), last_name: "鬱".repeat(300) };
    const keys = storedKeys({ ...named, blind: { email: ["h"] } });
    expect(keys[0]?.length).toBeLessThan(500);
    expect(sharesOf([keys, keys])).toEqual(["email"]);
  });
});

describe("persons", () => {
  const name = (blindIndexes: object) => identityKeys({ ...quinn, blind: blindIndexes });

  it("are groups of two or more, connected by what they share", () => {
    const persons = personsOf([
      member("a", { keys: name({ email: ["1"] }), created_at: timeAt(5) }),
      member("c", { keys: name({ phone: ["2"] }), currency: "EUR", amount_cents: 7 }),
      member("b", { keys: name({ email: ["1"], phone: ["2"] }), chargebacks_cents: 11 }),
      member("d", { keys: name({ card: ["3"] }) }),
    ]);
    expect(persons).toEqual([
      {
        id: "a",
        report_count: 3,
        report_ids: ["a", "b", "c"],
        totals: [
          { currency: "EUR", amount_cents: 7 },
          { currency: "USD", amount_cents: 211 },
        ],
        usd_total_cents: 211,
        shares: ["email", "phone"],
        latest_report_id: "a",
        latest_at: timeAt(5),
      },
    ]);
  });

  it("exclude unapproved reports, and namesakes with nothing in common", () => {
    expect(
      personsOf([
        member("a", { keys: name({ email: ["1"] }) }),
        member("b", { keys: name({ email: ["1"] }), approved: false }),
        member("c", { keys: name({ email: ["2"] }) }),
      ]),
    ).toEqual([]);
  });

  it("list what they share, each kind once", () => {
    const all = {
      email: ["1"],
      phone: ["2"],
      card: ["3", "4"],
      bank_account: ["5"],
      street_zip: ["6"],
    };
    const [person] = personsOf([
      member("a", { keys: name(all), currency: "CAD" }),
      member("b", { keys: name(all), currency: "CAD" }),
    ]);
    expect(person?.shares).toEqual(["email", "phone", "card", "bank account", "street and ZIP"]);
    expect(person?.usd_total_cents).toBe(0);
  });
});
