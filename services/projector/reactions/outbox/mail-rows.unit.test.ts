import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import {
  accountClosed,
  accountRegistered,
  emailConfirmationRequested,
  emailConfirmed,
  link,
  passwordChanged,
  passwordResetRequested,
  twoFactorReset,
} from "#test-kit/account-events.ts";
import {
  decisionUndone,
  reportApproved,
  reportDeleted,
  reportDeletionUndone,
  reportEdited,
  reportErased,
  reporterErased,
  reportRejected,
  reportStatusSet,
  reportSubmitted,
  verificationResent,
  verificationWithdrawn,
  verifiedByHand,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { OpenedLog, positionAt, timeAt } from "../../testing/opened.ts";
import { foldOutbox } from "./outbox.reaction.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const EPOCH = "33333333-3333-4333-8333-333333333333";

function kinds(...events: ReportEvent[]) {
  const log = new OpenedLog();
  for (const event of events) log.report(ID, event);
  return foldOutbox(new Set(), log.take(), EPOCH).mails.map(({ kind }) => kind);
}

describe("the outbox", () => {
  it("gets an email with a link for a submission and for each new request", () => {
    const log = new OpenedLog().report(ID, reportSubmitted());
    const [mail] = foldOutbox(new Set(), log.events, EPOCH).mails;
    expect(mail).toEqual({
      id: `mail-${log.events[0]?.stored.id}`,
      kind: "verification",
      report_id: ID,
      account_id: null,
      inquiry_id: null,
      event_id: log.events[0]?.stored.id,
      revision: 0,
      position: positionAt(1),
      epoch: EPOCH,
      created_at: timeAt(1),
    });
    expect(mail?.id).not.toMatch(/:|^\d+$/);
    expect(kinds(reportSubmitted(), verificationResent())).toEqual([
      "verification",
      "verification",
    ]);
  });

  it("gets two emails for an inquiry, and loses both with it", () => {
    const sender = { name: "Ann", email: "ann@acme.example", answers: [] };
    const received = { type: "InquiryReceived", data: { kind: "enterprise", sender } } as const;
    const log = new OpenedLog().add(`inquiry-${ID}`, received);
    const { mails } = foldOutbox(new Set(), log.events, EPOCH);
    expect(mails).toMatchObject([
      { kind: "inquiry_received", inquiry_id: ID, report_id: null, account_id: null },
      { kind: "inquiry_for_inbox", inquiry_id: ID, report_id: null, account_id: null },
    ]);
    expect(new Set(mails.map(({ id }) => id)).size).toBe(2);
    const erased = { type: "InquiryErased", data: { by: "retention" } } as const;
    const after = foldOutbox(new Set(), log.add(`inquiry-${ID}`, erased).events, EPOCH);
    expect([after.mails, [...after.erasedInquiries]]).toEqual([[], [ID]]);
  });

  it("loses an erased reporter's emails, and still recognizes a sample", () => {
    const log = new OpenedLog().report(ID, reportSubmitted()).report(ID, reporterErased());
    const { mails, erased, deleted } = foldOutbox(new Set(), log.events, EPOCH);
    expect({ mails, erased, deleted }).toEqual({
      mails: [],
      erased: new Set([ID]),
      deleted: new Set(),
    });
  });

  it("gets an email for a sign-in link, until its account is erased", () => {
    const stream = `user-${ID}`;
    const link = { link_id: ID, expires_at: "2026-11-23T10:00:00.000Z" };
    const log = new OpenedLog().add(stream, {
      type: "DeviceConfirmationRequested",
      data: { link },
    });
    const { mails } = foldOutbox(new Set(), log.events, EPOCH);
    expect(mails).toMatchObject([{ kind: "sign_in_link", report_id: null, account_id: ID }]);
    log.add(stream, { type: "AccountErased", data: {} });
    const after = foldOutbox(new Set(), log.events, EPOCH);
    expect(after.mails).toEqual([]);
    expect(after.erasedAccounts).toEqual(new Set([ID]));
  });

  it.each([
    ["account_confirmation", accountRegistered()],
    ["account_confirmation", emailConfirmationRequested(link(ID))],
    ["password_reset", passwordResetRequested(link(ID))],
    [undefined, passwordResetRequested(link(ID), "answer")],
    ["password_changed", passwordChanged()],
    [
      "two_factor_on",
      {
        type: "TwoFactorEnabled",
        data: { factor_id: ID, method: "totp", codes_id: ID, recovery_codes: 10 },
      },
    ],
    ["two_factor_off", { type: "TwoFactorDisabled", data: { factor_id: ID } }],
    ["two_factor_reset", { type: "TwoFactorReset", data: { factor_id: ID } }],
    [
      "recovery_codes_replaced",
      { type: "RecoveryCodesReplaced", data: { codes_id: ID, recovery_codes: 10 } },
    ],
    [undefined, accountClosed("operator", "2026-11-23T10:00:00.000Z")],
    ["recovery_code_used", { type: "RecoveryCodeUsed", data: { codes_id: ID, code: 1 } }],
    [
      "registration_attempted",
      { type: "RegistrationAttempted", data: { quiet_until: "2026-11-23T10:00:00.000Z" } },
    ],
    [undefined, emailConfirmed()],
  ] as const)("gets an email about an account, or none: %s", (kind, event) => {
    const log = new OpenedLog().add(`user-${ID}`, event);
    const { mails } = foldOutbox(new Set(), log.take(), EPOCH);
    expect(mails).toMatchObject(kind ? [{ kind, account_id: ID, report_id: null }] : []);
  });

  it("gets an email about a profile that staff edited, and none about its owner's edits", () => {
    const data = { fields: ["phone" as const], account: { first_name: "A", last_name: "B" } };
    const log = new OpenedLog()
      .add(`user-${ID}`, { type: "ProfileEdited", data }, { actor: { id: ID, role: "user" } })
      .add(`user-${ID}`, { type: "ProfileEdited", data }, { actor: { id: ID, role: "admin" } })
      .add(`user-${ID}`, { type: "ProfileEdited", data }, { actor: { id: "a", role: "admin" } });
    const { mails } = foldOutbox(new Set(), log.take(), EPOCH);
    expect(mails).toMatchObject([{ kind: "profile_edited", account_id: ID, revision: 2 }]);
  });

  it("gets emails to the current and a previous address when an owner deletes an account", () => {
    const closed = accountClosed("owner", "2026-11-23T10:00:00.000Z");
    const log = new OpenedLog().add(`user-${ID}`, closed);
    const { mails } = foldOutbox(new Set(), log.take(), EPOCH);
    expect(mails).toMatchObject([
      { kind: "account_deleted", account_id: ID },
      { kind: "account_deleted_undo", account_id: ID },
    ]);
  });

  it("gets an email to each admin about a payment that matches no fee", () => {
    const other = "22222222-2222-4222-8222-222222222222";
    const log = new OpenedLog().add(`payment-${ID}`, {
      type: "PaymentUnmatched",
      data: {
        processor: "stripe",
        problem: "report_deleted",
        live: true,
        event_id: "evt_1",
        told: [other, ID],
      },
    });
    const { mails } = foldOutbox(new Set(), log.events, EPOCH);
    expect(mails.map(({ kind, account_id }) => [kind, account_id])).toEqual([
      ["payment_unmatched", other],
      ["payment_unmatched", ID],
    ]);
  });

  it("gets an email for each account that an event tells, removed with that account alone", () => {
    const [first, second] = [EPOCH, "44444444-4444-4444-8444-444444444444"];
    const log = new OpenedLog().add(`user-${ID}`, twoFactorReset([first, second]));
    const event = log.events[0]?.stored.id;
    const fold = () =>
      foldOutbox(new Set(), log.events, EPOCH).mails.map(({ id, kind, account_id }) => [
        id,
        kind,
        account_id,
      ]);
    const own = [`mail-${event}`, "two_factor_reset", ID];
    const told = (admin: string) => [
      `mail-${event}-two_factor_reset_told-${admin}`,
      "two_factor_reset_told",
      admin,
    ];
    expect(fold()).toEqual([own, told(first), told(second)]);
    log.add(`user-${ID}`, { type: "AccountErased", data: {} });
    expect(fold()).toEqual([told(first), told(second)]);
    log.add(`user-${second}`, { type: "AccountErased", data: {} });
    expect(fold()).toEqual([told(first)]);
  });

  it.each([
    ["new", "password", "new_device"],
    ["new", "registration", undefined],
    ["known", "password", undefined],
    ["linked", "two_factor", undefined],
  ] as const)(
    "gets an email for a sign-in only from a new browser: %s, %s",
    (device, method, kind) => {
      const expires_at = "2027-02-19T10:00:00.000Z";
      const data = { account_id: ID, method, device, account_revision: 0, expires_at };
      const log = new OpenedLog().add(`session-${EPOCH}`, { type: "SessionStarted", data });
      const { mails } = foldOutbox(new Set(), log.take(), EPOCH);
      expect(mails).toMatchObject(kind ? [{ kind, account_id: ID }] : []);
    },
  );

  it.each([
    { type: "AccountReplaced", data: { replaced_by: EPOCH } },
    { type: "AccountExpired", data: {} },
    { type: "AccountErased", data: {} },
  ] as const)("loses the emails of an account that has ended: $type", (event) => {
    const log = new OpenedLog().add(`user-${ID}`, accountRegistered()).add(`user-${ID}`, event);
    const { mails, erasedAccounts } = foldOutbox(new Set(), log.take(), EPOCH);
    expect(mails).toEqual([]);
    expect(erasedAccounts).toEqual(new Set([ID]));
  });

  it("gets one email for each real change of status", () => {
    expect(kinds(reportApproved())).toEqual(["approved"]);
    expect(kinds(reportRejected())).toEqual(["rejected"]);
    expect(kinds(reportStatusSet("under_review"))).toEqual(["under_review"]);
    expect(
      kinds(
        reportApproved("approved"),
        reportRejected("x", "rejected"),
        reportStatusSet("pending", "pending"),
      ),
    ).toEqual([]);
  });

  it("gets one for a decision that is in force again if no one was told about it", () => {
    const again = (undoes: { revision: number; untold?: true }) =>
      new OpenedLog()
        .report(ID, reportSubmitted())
        .report(ID, { type: "ReportApproved", data: { from: "rejected", verified: true, undoes } })
        .report(ID, { type: "ReportRejected", data: { ...rejected, undoes } })
        .report(ID, { type: "ReportStatusSet", data: { ...setBack, to: "under_review", undoes } })
        .report(ID, { type: "ReportStatusSet", data: { ...setBack, to: "pending", undoes } });
    const rejected = { from: "approved", verified: true, reason_code: "other" } as const;
    const setBack = { from: "approved", verified: true } as const;
    const foldOf = (log: OpenedLog) => foldOutbox(new Set(), log.events, EPOCH);
    const told = foldOf(again({ revision: 2 }));
    expect([told.mails.length, told.approvals]).toEqual([1, []]);
    const { mails, approvals } = foldOf(again({ revision: 2, untold: true }));
    const asked = ["verification", "approved", "rejected", "under_review", "pending"];
    expect([mails.map(({ kind }) => kind), approvals.length]).toEqual([asked, 1]);
  });

  it("gets none for a decision that is undone, and delays those about decisions until then", () => {
    const log = new OpenedLog()
      .report(ID, reportSubmitted())
      .report(ID, reportApproved())
      .report(ID, decisionUndone(1))
      .report(ID, reportRejected())
      .report(ID, reportStatusSet("under_review", "rejected"))
      .report(ID, reportStatusSet("pending", "under_review"));
    const { mails, approvals } = foldOutbox(new Set(), log.events, EPOCH);
    const due = (at: string) => new Date(Date.parse(at) + 65_000).toISOString();
    expect(mails.map(({ kind, next_attempt_at }) => [kind, next_attempt_at])).toEqual([
      ["verification", undefined],
      ["approved", due(timeAt(2))],
      ["rejected", due(timeAt(4))],
      ["under_review", due(timeAt(5))],
      ["pending", due(timeAt(6))],
    ]);
    expect(approvals).toHaveLength(1);
  });

  it("gets none for changes that do not concern the reporter", () => {
    const edit = reportEdited({ set: { amount_cents: 1 } });
    expect(kinds(verifiedByLink(), verifiedByHand(), verificationWithdrawn(), edit)).toEqual([]);
  });

  it("gets none for a sample, whoever moderates it", () => {
    const log = new OpenedLog()
      .report(ID, reportSubmitted(), { origin: "sample" })
      .report(ID, reportApproved());
    const { mails, samples } = foldOutbox(new Set(), log.take(), EPOCH);
    expect(mails).toEqual([]);
    expect(samples).toEqual(new Set([ID]));
    const later = log.report(ID, reportRejected("x", "approved")).take();
    expect(foldOutbox(samples, later, EPOCH).mails).toEqual([]);
    expect(foldOutbox(new Set(), later, EPOCH).mails).toHaveLength(1);
  });

  it("loses a deleted report's emails, even within one batch, but not those after an undo", () => {
    const log = new OpenedLog().report(ID, reportSubmitted()).report(ID, reportDeleted());
    const { mails, hidden, deleted } = foldOutbox(new Set(), log.take(), EPOCH);
    expect(mails).toEqual([]);
    expect([hidden, deleted]).toEqual([new Set([ID]), new Set()]);
    const back = [reportDeletionUndone(), reportApproved()];
    expect(kinds(reportSubmitted(), reportDeleted(), ...back)).toEqual(["approved"]);
    const erased = log.report(ID, reportErased()).take();
    expect(foldOutbox(new Set(), erased, EPOCH).deleted).toEqual(new Set([ID]));
  });
});
