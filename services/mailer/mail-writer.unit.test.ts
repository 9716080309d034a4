import { randomUUID } from "node:crypto";
import type { TObject } from "typebox";
import { Value } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { type ReportEvent, streams, type UserEvent } from "#contracts/events/index.ts";
import { personalFields, reporterFields } from "#contracts/events/report/stored-report.ts";
import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { recipientOf } from "#mail-templates/writing/account-mail.ts";
import type { MailWriter, WrittenMail } from "#mail-templates/writing/mail-writer.ts";
import { accountRegistered, emailConfirmed, link } from "#test-kit/account-events.ts";
import type { EventWriter } from "#test-kit/event-writer.ts";
import {
  addressCorrected,
  decisionUndone,
  evidencePublished,
  evidenceReleased,
  evidenceWithheld,
  letterAccepted,
  letterRefused,
  paymentAccepted,
  paymentRefunded,
  questionWithdrawn,
  reportApproved,
  reportClaimed,
  reportDeleted,
  reportEdited,
  reporterAnswered,
  reporterAsked,
  reporterNotificationsSet,
  reporterWarned,
  reporterWarningLifted,
  reportPutBack,
  reportRejected,
  reportResolved,
  reportStatusSet,
  reportSubmitted,
  reportTakenDown,
  reportUnresolved,
  resolutionRequested,
  submissionHeldBack,
  verificationResent,
  verificationWithdrawn,
  verifiedByHand,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { blind, newMailWriter, reportLinks, unsubscribing } from "./testing/mail-writer.fixture.ts";

const TO = "rae@shop.example";
type ReportMailKind =
  | "verification"
  | "question"
  | "approved"
  | "rejected"
  | "under_review"
  | "pending"
  | "letter_accepted"
  | "letter_refused"
  | "resolved"
  | "payment_refunded"
  | "taken_down"
  | "put_back"
  | "evidence_withheld"
  | "evidence_released"
  | "infringer_warned"
  | "infringer_suspended"
  | "submission_held_back";
const allKinds = (Object.keys(mailKinds) as MailKind[]).filter(
  (kind): kind is ReportMailKind =>
    mailKinds[kind].owner === "report" && !mailKinds[kind].isForInbox,
);

let log: EventWriter;
let writer: MailWriter;
let id: string;

beforeEach(() => {
  ({ log, writer } = newMailWriter());
  id = randomUUID();
});

/** @returns the revision of the last event. */
async function append(...events: ReportEvent[]): Promise<number> {
  return (await log.append(streams.report(id), events)).revision;
}

function write(kind: MailKind, revision: number) {
  return writer.write({
    id: "mail-1",
    kind,
    ownerId: id,
    revision,
    at: "2026-11-21T10:00:00.000Z",
  });
}

async function written(kind: MailKind, revision: number): Promise<WrittenMail> {
  const found = await write(kind, revision);
  if ("drop" in found) throw new Error(`${kind} was dropped: ${found.drop}`);
  return found;
}

const REQUEST = "11111111-1111-4111-8111-111111111111";
const PAID = "22222222-2222-4222-8222-222222222222";
const NOTICE = "7f3a9c21-b0d4-4c6e-8f00-000000000000";
const UNTIL = "2026-12-24T10:00:00.000Z";
const FILE = "33333333-3333-4333-8333-333333333333";
const COPY = "44444444-4444-4444-8444-444444444444";
const isShown = [reportApproved("pending", false), evidencePublished(FILE, { copy_id: COPY })];
const letterIsAccepted = [...resolutionRequested(REQUEST), letterAccepted(REQUEST)];
const isPaid = [...letterIsAccepted, paymentAccepted(REQUEST, PAID), reportResolved(REQUEST)];

/** Events before the one that asks for an email, if that is not the report's first change. */
const before: { readonly [K in ReportMailKind]?: readonly ReportEvent[] } = {
  pending: [reportStatusSet("under_review")],
  letter_accepted: resolutionRequested(REQUEST),
  letter_refused: resolutionRequested(REQUEST),
  resolved: [...letterIsAccepted, paymentAccepted(REQUEST, PAID)],
  payment_refunded: isPaid,
  taken_down: isShown,
  put_back: [...isShown, reportTakenDown(NOTICE)],
  evidence_withheld: isShown,
  evidence_released: [...isShown, evidenceWithheld(COPY, NOTICE)],
  infringer_warned: [...isShown, reportTakenDown(NOTICE)],
  infringer_suspended: [...isShown, reportTakenDown(NOTICE)],
};

/** The event that asks for an email about a decision. */
const changeTo: Record<Exclude<ReportMailKind, "verification">, () => ReportEvent> = {
  letter_accepted: () => letterAccepted(REQUEST),
  letter_refused: () => letterRefused(REQUEST, "Canary-of-the-reason"),
  resolved: () => reportResolved(REQUEST),
  payment_refunded: () => paymentRefunded(PAID, "mistaken", "Canary-of-the-reason"),
  approved: () => reportApproved("pending", false),
  rejected: () => reportRejected("Canary-of-the-reason"),
  under_review: () => reportStatusSet("under_review"),
  pending: () => reportStatusSet("pending", "under_review"),
  question: () => reporterAsked(undefined, undefined, "Canary-of-the-question"),
  taken_down: () => reportTakenDown(NOTICE, "Canary-of-the-reason"),
  put_back: () => reportPutBack(NOTICE),
  evidence_withheld: () => evidenceWithheld(COPY, NOTICE, "Canary-of-the-reason"),
  evidence_released: () => evidenceReleased(COPY, NOTICE),
  infringer_warned: () => reporterWarned(NOTICE),
  infringer_suspended: () =>
    reporterWarned(NOTICE, { step: "suspension", strike: 2, until: UNTIL }),
  submission_held_back: () => submissionHeldBack(UNTIL),
};

/** Submits a report and appends the event that asks for this kind of email. */
async function ask(kind: ReportMailKind, submitted: ReportEvent): Promise<number> {
  const revision = await append(submitted);
  if (kind === "verification") return revision;
  return append(...(before[kind] ?? []), changeTo[kind]());
}

const CANARY = "Canary";
/** A canary for each field that accepts any text. */
function canariesOf(fields: TObject["properties"], part: string): Record<string, string> {
  const free = Object.keys(fields).filter((name) => Value.Check(fields[name] ?? {}, CANARY));
  return Object.fromEntries(free.map((name) => [name, `${CANARY}-${part}-${name}`]));
}
const personal = canariesOf(personalFields, "personal");
const reporter: Record<string, string> = {
  ...canariesOf(reporterFields, "reporter"),
  reporter_email: TO,
};
const chargeback = canariesOf(personalFields.chargebacks.items.properties, "chargeback");

/** A submission with a canary in every field that accepts free text. */
function canarySubmission(): ReportEvent {
  return reportSubmitted({
    personal: { ...personal, country: "US", chargebacks: [chargeback] },
    reporter,
    clear: { chargebacks: [{ amount_cents: 100 }] },
  });
}

const words = ({ mail: { subject, text, html } }: WrittenMail) => [subject, text, html].join("\n");

it("states a rejection's reason only by its code", async () => {
  const data = { from: "pending", verified: true, reason_code: "no_evidence" } as const;
  await append(reportSubmitted(), verifiedByLink());
  const mail = await written("rejected", await append({ type: "ReportRejected", data }));
  expect(words(mail)).toContain("It has no evidence");
});

it.each([
  ["is public", [verifiedByHand(), reportApproved()], "other@shop.example", true],
  ["is the recipient's own", [verifiedByLink()], TO, true],
  ["is a stranger's", [verifiedByLink()], "other@shop.example", false],
  ["has the recipient's unconfirmed address", [], TO, false],
] as const)(
  "names or omits the report that a rejected one duplicates: it %s",
  async (_, events, address, isNamed) => {
    const other = randomUUID();
    const theirs = reportSubmitted({ reporter: { reporter_email: address } });
    await log.append(streams.report(other), [theirs, ...events]);
    await append(reportSubmitted(), verifiedByLink());
    const data = { from: "pending", verified: true, reason_code: "duplicate" } as const;
    const rejected = { type: "ReportRejected", data: { ...data, duplicate_of: other } } as const;
    const mail = words(await written("rejected", await append(rejected)));
    expect(mail).toContain("already been reported");
    expect(mail.includes(reportNumber(other))).toBe(isNamed);
  },
);

describe("an email to an unconfirmed address", () => {
  it("is tested with a stranger's text in every free-text field", () => {
    expect(Object.keys(personal)).toEqual(
      expect.arrayContaining(["first_name", "last_name", "title", "description", "notes"]),
    );
    expect(Object.keys(reporter)).toEqual(
      expect.arrayContaining(["reporter_first_name", "reporter_company_name", "public_username"]),
    );
    expect(Object.keys(chargeback)).toContain("notes");
  });

  it.each(allKinds)("has fixed words only: %s", async (kind) => {
    const revision = await ask(kind, canarySubmission());
    const text = words(await written(kind, revision));
    expect(text).not.toMatch(/canary/i);
    expect(text).not.toContain(TO);
  });

  it.each(allKinds)("is the same for any submission: %s", async (kind) => {
    const textOf = async (submitted: ReportEvent) => {
      id = randomUUID();
      const revision = await ask(kind, submitted);
      // Links and numbers derive from the report's id, which the registry chooses.
      return words(await written(kind, revision)).replaceAll(
        /(verify-email|unsubscribe|report-status|report-question)\/[\w-]+|R-[0-9A-F]{5}-[0-9A-F]{5}/g,
        "",
      );
    };
    expect(await textOf(canarySubmission())).toBe(await textOf(reportSubmitted()));
  });

  it("has fixed words again once the confirmation is withdrawn", async () => {
    await append(canarySubmission(), verifiedByLink(), verificationWithdrawn());
    const revision = await append(reportRejected("Canary-of-the-reason"));
    expect(words(await written("rejected", revision))).not.toMatch(/canary/i);
  });

  it("has fixed words even if a moderator, who is not its owner, verified it", async () => {
    await append(canarySubmission(), verifiedByHand());
    const rejected = await written("rejected", await append(reportRejected("Canary-reason")));
    expect(words(rejected)).not.toMatch(/canary/i);
    expect(rejected.countsFor).toBeDefined();
  });

  it("has fixed words even if the report's previous address was confirmed", async () => {
    const set = { reporter_email: "ray@shop.example" };
    await append(canarySubmission(), verifiedByLink(), reportEdited({ reporter: { set } }));
    const rejected = await written("rejected", await append(reportRejected("Canary-reason")));
    expect(rejected.mail.to).toBe(set.reporter_email);
    expect(words(rejected)).not.toMatch(/canary/i);
  });
});

describe("an email about a copyright notice", () => {
  it.each(["taken_down", "evidence_withheld"] as const)(
    "quotes the notice and the reason, and links to the counter-notice: %s",
    async (kind) => {
      await append(reportSubmitted(), verifiedByLink());
      const revision = await append(...(before[kind] ?? []), changeTo[kind]());
      const { mail } = await written(kind, revision);
      expect(mail.text).toContain("N-7F3A9-C21B0");
      expect(mail.text).toContain("Canary-of-the-reason");
      expect(mail.text).toContain("http://registry.example/dmca/counter-notice");
    },
  );

  it.each([
    ["taken_down", reportPutBack(NOTICE)],
    ["put_back", reportTakenDown("55555555-5555-4555-8555-555555555555")],
    ["evidence_withheld", evidenceReleased(COPY, NOTICE)],
    ["evidence_released", evidenceWithheld(COPY, NOTICE)],
    ["infringer_warned", reporterWarningLifted(NOTICE)],
    ["infringer_suspended", reporterWarningLifted(NOTICE)],
  ] as const)("is not sent once it is no longer true: %s", async (kind, meanwhile) => {
    const revision = await ask(kind, reportSubmitted());
    await append(meanwhile);
    expect(await write(kind, revision)).toEqual({ drop: "superseded" });
  });
});

describe("an email to a suspended address", () => {
  it("says until when, and replaces the link", async () => {
    const asked = await append(reportSubmitted());
    const revision = await append(submissionHeldBack(UNTIL));
    expect(await write("verification", asked)).toEqual({ drop: "superseded" });
    const { mail } = await written("submission_held_back", revision);
    expect(mail.text).toMatch(/until\sDecember\s24,\s2026\sat\s10:00\sAM\s\(UTC\)/);
    expect(mail.text).not.toContain("/verify-email/");
  });

  it("says that there is no end after a ban", async () => {
    await append(reportSubmitted(), reportApproved("pending", true), reportTakenDown(NOTICE));
    const banned = await append(reporterWarned(NOTICE, { step: "ban", strike: 3 }));
    const { mail } = await written("infringer_suspended", banned);
    expect(mail.text).toMatch(/no longer accept reports from this address/);
  });
});

describe("the report's number and status link", () => {
  it.each(allKinds)("are in every email about it: %s", async (kind) => {
    const revision = await ask(kind, reportSubmitted());
    const { mail } = await written(kind, revision);
    const number = `R-${id.slice(0, 5)}-${id.slice(5, 8)}${id.slice(9, 11)}`.toUpperCase();
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(number);
      const [, token = ""] = /registry.example\/report-status\/([\w-]+)/.exec(part) ?? [];
      const link = reportLinks.readStatusToken(token, "2026-11-22T10:00:00.000Z");
      expect([link?.id, link?.isFor(TO), link?.isFor("ray@shop.example")]).toEqual([
        id,
        true,
        false,
      ]);
    }
  });

  it("are not in emails about accounts", async () => {
    const owner = randomUUID();
    await log.append(streams.user(owner), [
      accountRegistered({ link: link(randomUUID(), "2099-01-01T00:00:00.000Z") }),
    ]);
    id = owner;
    expect(words(await written("account_confirmation", 0))).not.toMatch(
      /report-status|R-[0-9A-F]{5}/,
    );
  });
});

describe("a moderator's question", () => {
  it("goes to the confirmed address, with a link for the answer", async () => {
    const questionId = randomUUID();
    await append(reportSubmitted(), verifiedByLink());
    const revision = await append(reporterAsked(questionId, "2099-01-01T00:00:00.000Z"));
    const { mail, countsFor } = await written("question", revision);
    expect(mail.to).toBe(TO);
    expect(mail.text).toContain("Which carrier delivered it?");
    const [, token = ""] = /registry.example\/report-question\/([\w-]+)/.exec(mail.text) ?? [];
    const now = "2026-11-23T10:00:00.000Z";
    expect(reportLinks.readQuestionToken(token, now)).toEqual({ id, questionId });
    expect(reportLinks.readStatusToken(token, now)).toBeUndefined();
    expect(countsFor).toBeUndefined();
    expect(mail.unsubscribeUrl).toBeUndefined();
  });

  it.each([
    ["withdrawn", (question: string) => questionWithdrawn(question)],
    ["answered", (question: string) => reporterAnswered(question)],
    ["overtaken by a decision", () => reportApproved()],
  ])("is not emailed once it is %s", async (_, after) => {
    const questionId = randomUUID();
    await append(reportSubmitted(), verifiedByLink());
    const revision = await append(reporterAsked(questionId));
    await append(after(questionId));
    expect(await write("question", revision)).toEqual({ drop: "superseded" });
  });
});

describe("a corrected address", () => {
  it("gets its own link, with fixed words, and counts toward the strangers' cap", async () => {
    const revision = await append(canarySubmission(), addressCorrected("rae@right.example"));
    const { mail, countsFor } = await written("verification", revision);
    expect(mail.to).toBe("rae@right.example");
    expect(mail.text).toContain("http://registry.example/verify-email/");
    expect(words({ mail, countsFor })).not.toMatch(/canary/i);
    expect(countsFor).toBe(recipientOf("Rae+1@right.example", blind, "mail.recipient"));
  });

  it("leaves nothing to be sent to the previous one", async () => {
    const revision = await append(reportSubmitted());
    await append(addressCorrected());
    expect(await write("verification", revision)).toEqual({ drop: "superseded" });
  });
});

it("an email to a confirmed address names reporter, report and reason", async () => {
  await append(canarySubmission(), verifiedByLink());
  const text = words(await written("rejected", await append(reportRejected("Canary-reason"))));
  for (const field of ["personal-title", "reporter-reporter_first_name", "reason"])
    expect(text).toContain(`${CANARY}-${field}`);
});

describe("an email about a status", () => {
  it("is dropped once the report has another status", async () => {
    await append(reportSubmitted());
    const approved = await append(reportApproved());
    const rejected = await append(reportRejected("x", "approved"));
    expect(await write("approved", approved)).toEqual({ drop: "superseded" });
    await written("rejected", rejected);
  });

  it("is dropped even if the report returned to it, which sends its own email", async () => {
    await append(reportSubmitted());
    const first = await append(reportApproved());
    await append(reportRejected("x", "approved"));
    const second = await append(reportApproved("rejected"));
    expect(await write("approved", first)).toEqual({ drop: "superseded" });
    await written("approved", second);
  });

  it("is dropped when the decision was undone; the decision that stayed sends one email", async () => {
    await append(reportSubmitted());
    const approved = await append(reportApproved());
    await append(decisionUndone(1));
    const again = await append(reportApproved());
    expect(await write("approved", approved)).toEqual({ drop: "superseded" });
    await written("approved", again);
    await append(decisionUndone(3));
    const first = await append(reportRejected("Reason A"));
    await append(decisionUndone(5, "rejected"));
    const second = await append(reportRejected("Reason B"));
    expect(await write("approved", again)).toEqual({ drop: "superseded" });
    expect(await write("rejected", first)).toEqual({ drop: "superseded" });
    await written("rejected", second);
  });

  it("is sent once, for the undo, when no one was told about the decision before", async () => {
    await append(reportSubmitted());
    const first = await append(reportRejected("Reason A"));
    await append(reportApproved("rejected"));
    const undoes = { revision: 2, untold: true } as const;
    const data = { from: "approved", verified: true, reason_code: "other", undoes } as const;
    const again = await append({ type: "ReportRejected", data });
    expect(await write("rejected", first)).toEqual({ drop: "superseded" });
    await written("rejected", again);
  });

  it("is sent when a later decision is undone", async () => {
    await append(reportSubmitted());
    const reviewed = await append(reportStatusSet("under_review"));
    await append(reportApproved("under_review"));
    expect(await write("under_review", reviewed)).toEqual({ drop: "superseded" });
    const undone = { from: "approved", to: "under_review", undoes: { revision: 2 } } as const;
    await append({ type: "ReportStatusSet", data: { ...undone, verified: true } });
    await written("under_review", reviewed);
    const approved = await append(reportApproved("under_review"));
    const rejected = await append(reportRejected("Reason A", "approved"));
    expect(await write("approved", approved)).toEqual({ drop: "superseded" });
    const data = { from: "rejected", verified: true, undoes: { revision: 5 } } as const;
    await append({ type: "ReportApproved", data });
    expect(await write("rejected", rejected)).toEqual({ drop: "superseded" });
    await written("approved", approved);
  });

  it("is sent whatever else has happened to the report since", async () => {
    await append(reportSubmitted());
    const approved = await append(reportApproved());
    await append(
      verifiedByHand(),
      reportEdited({ set: { amount_cents: 1 } }),
      reportApproved("approved"),
    );
    await written("approved", approved);
  });

  it("is dropped once the report is deleted", async () => {
    await append(reportSubmitted());
    const approved = await append(reportApproved());
    await append(reportDeleted());
    expect(await write("approved", approved)).toEqual({ drop: "deleted" });
  });
});

describe("an email about a decision on an account's report", () => {
  let actor: { readonly id: string; readonly role: "user" };
  beforeEach(() => {
    actor = { id: randomUUID(), role: "user" };
  });
  const off: UserEvent = { type: "NotificationsSet", data: { by: "owner", decisions: false } };
  const registered = accountRegistered({ link: link(randomUUID()) });
  const confirmed = (dropped: boolean) => emailConfirmed(dropped, "link", randomUUID());
  const happens = (...events: UserEvent[]) => log.append(streams.user(actor.id), events);
  async function approved(...events: ReportEvent[]) {
    await log.append(streams.report(id), [reportSubmitted(), ...events], { actor });
    return write("approved", await append(reportApproved()));
  }

  it("is sent until its owner turns it off", async () => {
    await happens(registered, confirmed(false));
    expect(await approved()).toHaveProperty("mail");
    await happens(off);
    id = randomUUID();
    expect(await approved(verifiedByLink())).toEqual({ drop: "unwanted" });
  });

  it("is not sent while neither the account's address nor the report's is confirmed", async () => {
    await happens(registered);
    expect(await approved()).toEqual({ drop: "unwanted" });
    id = randomUUID();
    expect(await approved(verifiedByLink())).toHaveProperty("mail");
  });

  it("follows the settings of the account that claimed a visitor's report", async () => {
    await happens(registered, confirmed(false));
    const decided = async () => {
      id = randomUUID();
      await append(reportSubmitted());
      await append(verifiedByLink());
      await append(reportClaimed(actor.id));
      return write("approved", await append(reportApproved()));
    };
    expect(await decided()).toHaveProperty("mail");
    await happens(off);
    expect(await decided()).toEqual({ drop: "unwanted" });
  });

  it("ignores the settings of an account that the report no longer belongs to", async () => {
    await happens(registered, off);
    const submitted = await log.append(streams.report(id), [reportSubmitted()], { actor });
    expect(submitted.revision).toBe(0);
    await happens(confirmed(true), off);
    expect(await write("approved", await append(reportApproved()))).toHaveProperty("mail");
  });

  it.each([
    ["its account's address", {}, true],
    [
      "another address, which its account gave",
      { reporter: { reporter_email: "pat@shop.example" } },
      false,
    ],
  ])("names the account's other report to %s: %o", async (_, submission, isNamed) => {
    const other = randomUUID();
    const by = { actor };
    await happens(registered, confirmed(false));
    await log.append(streams.report(other), [reportSubmitted()], by);
    await log.append(streams.report(id), [reportSubmitted(submission), verifiedByLink()], by);
    const data = { from: "pending", verified: true, reason_code: "duplicate" } as const;
    const rejected = { type: "ReportRejected", data: { ...data, duplicate_of: other } } as const;
    const mail = words(await written("rejected", await append(rejected)));
    expect(mail).toContain("already been reported");
    expect(mail.includes(reportNumber(other))).toBe(isNamed);
  });

  it("does not affect a link that confirms an address", async () => {
    await happens(registered, off);
    await log.append(streams.report(id), [reportSubmitted()], { actor });
    expect(await write("verification", 0)).toHaveProperty("mail");
  });
});

describe("an email about the RESOLVED banner", () => {
  const confirmed = [reportSubmitted(), verifiedByLink()];

  it("links to the report's own page, and gives the reason", async () => {
    await append(...confirmed, ...resolutionRequested(REQUEST));
    const refused = await append(letterRefused(REQUEST, "No seal."));
    const { mail } = await written("letter_refused", refused);
    expect(mail.text).toContain(`http://registry.example/dashboard/reports/${id}`);
    expect(mail.text).toContain("Reason: No seal.");
    await append(...resolutionRequested(PAID), letterAccepted(PAID));
    const paid = await append(paymentAccepted(PAID, PAID), reportResolved(PAID));
    expect((await written("resolved", paid)).mail.text).toContain("$250.00");
    const sentBack = await append(paymentRefunded(PAID, "mistaken", "Meant for another."));
    await append(reportUnresolved(PAID), ...resolutionRequested());
    const { mail: refund } = await written("payment_refunded", sentBack);
    expect(refund.text).toContain("Reason: Meant for another.");
  });

  it("is not sent once the request has moved on", async () => {
    await append(...confirmed, ...resolutionRequested(REQUEST));
    const accepted = await append(letterAccepted(REQUEST));
    await written("letter_accepted", accepted);
    await append(paymentAccepted(REQUEST, PAID));
    const resolved = await append(reportResolved(REQUEST));
    expect(await write("letter_accepted", accepted)).toEqual({ drop: "superseded" });
    await append(paymentRefunded(PAID), reportUnresolved(REQUEST));
    expect(await write("resolved", resolved)).toEqual({ drop: "superseded" });
  });

  it("tells the inbox about a request by the report's number alone, until it is decided", async () => {
    await append(reportSubmitted());
    const asked = await append(...resolutionRequested(REQUEST));
    const { mail, countsFor, inbox } = await written("resolution_for_inbox", asked);
    expect([mail.to, countsFor, inbox]).toEqual(["support@registry.example", undefined, "support"]);
    expect(mail.text).toContain(reportNumber(id));
    expect(mail.text).toContain("http://registry.example/admin/");
    expect(mail).not.toHaveProperty("unsubscribeUrl");
    for (const text of [mail.text, mail.html, mail.subject])
      expect(text).not.toMatch(/canary|report-status|rae@/i);
    await append(letterAccepted(REQUEST));
    expect(await write("resolution_for_inbox", asked)).toEqual({ drop: "superseded" });
  });
});

describe("the unsubscribe link", () => {
  const NOW = "2026-11-22T10:00:00.000Z";
  /** Returns what an email's links are for. Those in its header, text and HTML are the same. */
  function linkOf({ mail }: WrittenMail) {
    const token = /unsubscribe\/([\w-]{96})$/.exec(mail.unsubscribeUrl ?? "")?.[1] ?? "";
    const page = `http://registry.example/unsubscribe/${token}`;
    expect(mail.unsubscribeUrl).toBe(`http://registry.example/prod/api/unsubscribe/${token}`);
    for (const part of [mail.text, mail.html]) expect(part).toContain(page);
    return unsubscribing.readToken(token, NOW);
  }

  it.each(allKinds)("is only in emails about decisions: %s", async (kind) => {
    const mail = await written(kind, await ask(kind, reportSubmitted()));
    if (mailKinds[kind].setting === undefined) {
      expect(mail.mail.unsubscribeUrl).toBeUndefined();
      return expect(mail.mail.text).not.toMatch(/unsubscribe|stop mails/i);
    }
    const link = linkOf(mail);
    expect(link).toMatchObject({ scope: "report", id });
    expect([link?.isFor("Rae@shop.example"), link?.isFor("ray@shop.example")]).toEqual([
      true,
      false,
    ]);
  });

  it("applies to its report until the report's address changes", async () => {
    await append(reportSubmitted(), reporterNotificationsSet(false));
    const approved = await append(reportApproved());
    expect(await write("approved", approved)).toEqual({ drop: "unwanted" });
    await append(reporterNotificationsSet(true));
    await written("approved", approved);
    await append(reporterNotificationsSet(false));
    const set = { reporter_email: "ray@shop.example" };
    await append(reportEdited({ reporter: { set } }));
    expect((await written("approved", approved)).mail.to).toBe(set.reporter_email);
  });

  it("belongs to the account only if the email goes to the account's confirmed address", async () => {
    const account = randomUUID();
    const actor = { id: account, role: "user" } as const;
    const registered = accountRegistered({ link: link(randomUUID()) });
    await log.append(streams.user(account), [registered]);
    const approved = async (reporter_email: string) => {
      id = randomUUID();
      const submitted = reportSubmitted({ reporter: { reporter_email } });
      await log.append(streams.report(id), [submitted, verifiedByLink()], { actor });
      return linkOf(await written("approved", await append(reportApproved())));
    };
    expect(await approved(TO)).toMatchObject({ scope: "report", id });
    await log.append(streams.user(account), [emailConfirmed(false, "link", randomUUID())]);
    expect(await approved(TO)).toMatchObject({ scope: "decisions", id: account });
    expect(await approved("other@shop.example")).toMatchObject({ scope: "report", id });
  });
});

describe("an email with its own setting", () => {
  const NOW = "2026-11-22T10:00:00.000Z";
  let account: string;
  let further: string;
  beforeEach(async () => {
    [account, further] = [randomUUID(), randomUUID()];
    await happens(accountRegistered({ link: link(randomUUID()) }));
    await happens(emailConfirmed(false, "link", randomUUID()));
    await set({ same_person: true, weekly_summary: true });
    const actor = { id: account, role: "user" as const };
    await log.append(streams.report(id), [reportSubmitted(), reportApproved()], { actor });
    await log.append(streams.report(further), [reportSubmitted(), reportApproved()]);
  });
  const happens = (event: UserEvent) => log.append(streams.user(account), [event]);
  const set = (settings: { same_person?: boolean; weekly_summary?: boolean }) =>
    happens({ type: "NotificationsSet", data: { by: "owner", ...settings } });
  const figures = { week: "2026-11-16", views: 1200, approved: 1, rejected: 0, further: 2 };
  function writeNotice(kind: "same_person" | "weekly_summary") {
    const row = { id: "mail-1", kind, ownerId: account, revision: 0, at: NOW };
    const what = kind === "same_person" ? { reports: { own: id, further } } : { figures };
    return writer.write({ ...row, ...what });
  }
  const isDropped = async (drop: string) =>
    expect(await writeNotice("same_person")).toEqual({ drop });

  it.each(["same_person", "weekly_summary"] as const)(
    "is turned off by its own link, and then not sent: %s",
    async (kind) => {
      const found = await writeNotice(kind);
      if ("drop" in found) throw new Error(found.drop);
      const { to, text, unsubscribeUrl } = found.mail;
      expect(to).toBe(TO);
      expect(text).toContain("Hello Rae,");
      const token = /prod\/api\/unsubscribe\/([\w-]{96})$/.exec(unsubscribeUrl ?? "")?.[1] ?? "";
      const off = unsubscribing.readToken(token, NOW);
      expect([off?.scope, off?.id, off?.isFor(TO)]).toEqual([kind, account, true]);
      await set({ [kind]: false });
      expect(await writeNotice(kind)).toEqual({ drop: "unwanted" });
    },
  );

  it("about another report names only the reader's own report, and no person", async () => {
    const found = await writeNotice("same_person");
    if ("drop" in found) throw new Error(found.drop);
    expect(found.mail.text).toContain('the person in your report "Disputed a delivered order".');
    expect(found.mail.text).toContain("http://registry.example/dashboard");
    for (const word of ["Quinn", "Ames", "Signed for", "Denver", further, id])
      expect(found.mail.text).not.toContain(word);
  });

  it("about another report is kept with the report whose title it quotes", async () => {
    const revision = await append(reportEdited({ set: { amount_cents: 1 } }));
    expect(await writeNotice("same_person")).toMatchObject({ mail: { ownerId: id, revision } });
    expect(await writeNotice("weekly_summary")).toMatchObject({ mail: { ownerId: account } });
  });

  it("about another report is sent only while both are public and one is the reader's", async () => {
    await log.append(streams.report(further), [reportClaimed(account)]);
    await isDropped("superseded");
    further = randomUUID();
    await log.append(streams.report(further), [reportSubmitted()]);
    await isDropped("superseded");
    await log.append(streams.report(further), [reportApproved()]);
    expect(await writeNotice("same_person")).toHaveProperty("mail");
    await append(reportRejected("x", "approved"));
    await isDropped("superseded");
    await append(reportDeleted());
    await isDropped("deleted");
    id = randomUUID();
    await append(reportSubmitted(), reportApproved());
    await isDropped("superseded");
  });

  it("summarizes what happened in the week", async () => {
    const found = await writeNotice("weekly_summary");
    if ("drop" in found) throw new Error(found.drop);
    const { text } = found.mail;
    expect(text).toContain("November 16, 2026 to November 22, 2026");
    expect(text).toContain("viewed 1,200 times");
    expect(text).toContain("Published: 1 of your reports.");
    expect(text).toContain("New reports by others about people you reported: 2.");
    expect(text).not.toContain("Not published");
  });
});

describe("an email with a link", () => {
  it("has its own event's link, and is sent until one of the links is used", async () => {
    const first = await append(reportSubmitted());
    const second = await append(verificationResent());
    const urls: unknown[] = [];
    for (const revision of [first, second])
      urls.push(
        /verify-email\/[\w-]{96}/.exec((await written("verification", revision)).mail.text)?.[0],
      );
    expect(urls).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(urls).size).toBe(2);
    await append(verifiedByLink());
    for (const revision of [first, second])
      expect(await write("verification", revision)).toEqual({ drop: "superseded" });
  });

  it("is not sent once the link has expired", async () => {
    const past = new Date(Date.now() - 1).toISOString();
    await append(reportSubmitted());
    const link = await append(verificationResent(past));
    expect(await write("verification", link)).toEqual({ drop: "superseded" });
    await append(verifiedByLink());
    const question = await append(reporterAsked(randomUUID(), past));
    expect(await write("question", question)).toEqual({ drop: "superseded" });
  });

  it("is sent only to the address that the link confirms", async () => {
    const first = await append(reportSubmitted());
    const set = { reporter_email: "ray@shop.example" };
    await append(reportEdited({ reporter: { set } }));
    expect(await write("verification", first)).toEqual({ drop: "superseded" });
    await written("verification", await append(verificationResent()));
  });
});

describe("what counts toward a recipient's caps", () => {
  it.each(allKinds)("includes every email to an unconfirmed address: %s", async (kind) => {
    const revision = await ask(kind, reportSubmitted());
    expect((await written(kind, revision)).countsFor).toMatch(/^[\w-]{43}$/);
  });

  it("excludes decisions sent to a confirmed address", async () => {
    const counted: MailKind[] = [];
    for (const kind of ["approved", "rejected", "under_review", "pending"] as const) {
      id = randomUUID();
      const revision = await ask(kind, reportSubmitted());
      await append(verifiedByLink());
      if ((await written(kind, revision)).countsFor !== undefined) counted.push(kind);
    }
    expect(counted).toEqual(["under_review", "pending"]);
  });

  it("includes links that were requested again, separately from those of submissions", async () => {
    const counts: unknown[] = [];
    for (const _ of [1, 2]) {
      id = randomUUID();
      for (const event of [reportSubmitted(), verificationResent()])
        counts.push((await written("verification", await append(event))).countsFor);
    }
    const [submitted, resent] = counts;
    expect(resent).not.toBe(submitted);
    expect(counts).toEqual([submitted, resent, submitted, resent]);
  });

  it("covers one mailbox, however its address is spelled", async () => {
    const found = new Set<string | undefined>();
    for (const reporter_email of [
      "rae@shop.example",
      "Rae@SHOP.example",
      "rae+7@shop.example",
      "rae+a+b@shop.example",
      "ｒae@shop.example",
    ]) {
      id = randomUUID();
      const revision = await append(reportSubmitted({ reporter: { reporter_email } }));
      found.add((await written("verification", revision)).countsFor);
    }
    expect(found.size).toBe(1);
    for (const reporter_email of ["ray@shop.example", "rae@other.example", "+rae@shop.example"]) {
      id = randomUUID();
      const revision = await append(reportSubmitted({ reporter: { reporter_email } }));
      found.add((await written("verification", revision)).countsFor);
    }
    expect(found.size).toBe(4);
  });
});
