import fc from "fast-check";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import {
  addressCorrected,
  checkoutOpened,
  evidenceAdded,
  evidenceDeleted,
  evidenceErased,
  evidenceHidden,
  evidencePublished,
  evidenceReleased,
  evidenceWithheld,
  letterAccepted,
  letterRefused,
  moderatorNoteWritten,
  nextSlug,
  paymentAccepted,
  paymentRefunded,
  questionWithdrawn,
  reportApproved,
  reportClaimed,
  reportDeleted,
  reportDeletionUndone,
  reportDisowned,
  reportEdited,
  reportErased,
  reporterAnswered,
  reporterAsked,
  reporterNotificationsSet,
  reportPutBack,
  reportRejected,
  reportResolved,
  reportStatusSet,
  reportSubmitted,
  reportTakenDown,
  reportUnresolved,
  resolutionRequested,
  resolutionWithdrawn,
  textMasked,
  verificationResent,
  verificationWithdrawn,
  verifiedByAccount,
  verifiedByHand,
  verifiedByLink,
  versionRestored,
} from "#test-kit/report-events.ts";

/** An action on one of a few reports. It is skipped if it makes no sense. */
export interface Step {
  readonly report: number;
  readonly action:
    | "resend"
    | "verify"
    | "withdraw"
    | "approve"
    | "reject"
    | "review"
    | "undo"
    | "rename"
    | "retitle"
    | "reprice"
    | "chargebacks"
    | "claim"
    | "disown"
    | "evidence"
    | "note"
    | "question"
    | "publish"
    | "hide"
    | "notice"
    | "resolution"
    | "delete";
  readonly person: Person;
  readonly cents: number;
}

const CLAIMER = "7f3d1c52-0000-4000-8000-000000000007";

interface Person {
  readonly name: readonly [string, string];
  /** Few identifiers for many reports, so that groups join and split. */
  readonly email: number | undefined;
  readonly card: number | undefined;
}

const person: fc.Arbitrary<Person> = fc.record({
  name: fc.constantFrom(
    ["Quinn", "Ames"] as const,
    ["Zoë", "Núñez"] as const,
    ["O'Brien", "李"] as const,
  ),
  email: fc.option(fc.nat(2), { nil: undefined }),
  card: fc.option(fc.nat(2), { nil: undefined }),
});

const step: fc.Arbitrary<Step> = fc.record({
  report: fc.nat(11),
  action: fc.constantFrom(
    "resend",
    "verify",
    "withdraw",
    "approve",
    "approve",
    "approve",
    "reject",
    "review",
    "undo",
    "undo",
    "rename",
    "retitle",
    "reprice",
    "chargebacks",
    "claim",
    "disown",
    "evidence",
    "question",
    "question",
    "note",
    "publish",
    "hide",
    "notice",
    "notice",
    "resolution",
    "resolution",
    "delete",
  ),
  person,
  cents: fc.nat(1_000_000),
});

/** Steps over twelve reports. Each report is submitted when it is first used. */
export const histories = fc.array(step, { minLength: 20, maxLength: 80 });

let begun = 0;

/** What moderators can't do while a notice holds the report. */
const DECIDES: readonly Step["action"][] = ["approve", "reject", "review", "question"];
/** Two notices, which may hold the same report or picture. */
const NOTICES = [
  "7f3d1c52-0000-4000-8000-000000000008",
  "7f3d1c52-0000-4000-8000-000000000009",
] as const;

/** A notice takes down the report or one of its pictures, or releases it. */
function nextOfNotice(state: ReportState, cents: number): ReportEvent[] {
  const notice = NOTICES[cents % 2 === 0 ? 0 : 1];
  const copy =
    cents % 3 ? undefined : state.copies.find(({ hidden, erased }) => !hidden && !erased);
  if (copy?.holds.includes(notice)) return [evidenceReleased(copy.copy_id, notice)];
  if (copy) return [evidenceWithheld(copy.copy_id, notice, "It is from a book.")];
  const { holds, status } = state;
  if (holds.includes(notice))
    return [reportPutBack(notice, holds.length === 1 ? "approved" : "under_review")];
  if (status !== "approved" && holds.length === 0) return [];
  return [reportTakenDown(notice, "It quotes a book.", status as ReportStatus)];
}

const DECISIONS: ReadonlySet<string> = new Set([
  "ReportApproved",
  "ReportRejected",
  "ReportStatusSet",
]);

/** Returns the event that undoes a revision's decision. @param from the status that the decision led to. */
function undoing(before: ReportState, from: ReportState["status"], revision: number): ReportEvent {
  const { status: to, verified, rejection_reason: reason, rejection_code, questions } = before;
  const undoes = { revision };
  const data = { from: from as ReportStatus, verified, undoes };
  if (to === "approved") return { type: "ReportApproved", data };
  if (to === "rejected") {
    const why = reason ? { personal: { reason } } : { reason_code: rejection_code ?? "other" };
    return { type: "ReportRejected", data: { ...data, ...why } };
  }
  const question_id = questions.find(({ state }) => state === "open")?.question_id;
  const reopens = { ...undoes, ...omitUndefined({ question_id }) };
  return { type: "ReportStatusSet", data: { ...data, to: to as "pending", undoes: reopens } };
}

/** Turns steps into events that the command side could have appended. */
export class History {
  readonly #states = new Map<number, ReportState>();
  readonly #revisions = new Map<number, number>();
  /** The event that undoes the last decision, as long as only notes have followed it. */
  readonly #undos = new Map<number, ReportEvent>();
  /** Distinguishes histories: they share names but no identifiers. */
  readonly #number = ++begun;

  /** @returns no events if the step makes no sense. */
  next({ report, action, person, cents }: Step): ReportEvent[] {
    const state = this.#states.get(report);
    if (action === "undo" && !this.#undos.has(report)) return [];
    const undo = action === "undo" ? this.#undos.get(report) : undefined;
    const events = undo
      ? [undo]
      : state
        ? this.#change(state, action, person, cents)
        : [this.#submit(report, person, cents), ...(cents % 4 ? [reportApproved()] : [])];
    let after = state;
    for (const event of events) {
      this.#noteDecision(report, after, event);
      after = evolveReport(after, event);
    }
    if (after) this.#states.set(report, after);
    return events;
  }

  #noteDecision(report: number, before: ReportState | undefined, event: ReportEvent): void {
    const revision = (this.#revisions.get(report) ?? -1) + 1;
    this.#revisions.set(report, revision);
    if (event.type === "ModeratorNoteWritten") return;
    this.#undos.delete(report);
    if (!before || !DECISIONS.has(event.type) || "undoes" in event.data) return;
    this.#undos.set(report, undoing(before, evolveReport(before, event).status, revision));
  }

  #submit(report: number, person: Person, cents: number): ReportEvent {
    const bad = report % 3 === 2;
    const currencies = ["USD", "EUR", "GBP", "CAD"] as const;
    return reportSubmitted({
      report_type: bad ? "bad_check" : "chargeback",
      clear: {
        currency: currencies[report % 4] ?? "USD",
        ...(bad ? { check_amount_cents: cents } : { amount_cents: cents, chargeback_fee_cents: 7 }),
      },
      personal: {
        ...named(person),
        ...(bad ? { bank_account: "000123456789" } : { first_6: "411111" }),
        phone: "+1 303 555 0142",
        notes: "kept back",
      },
      reporter: { public_username: "A shop" },
      blind: this.#blindOf(person),
    });
  }

  #change(
    state: ReportState,
    action: Step["action"],
    person: Person,
    cents: number,
  ): ReportEvent[] {
    const { status, verified } = state;
    if (status === "deleted") return afterDeletion(state, action);
    const from: ReportStatus = status;
    if (state.holds.length > 0 && DECIDES.includes(action)) return [];
    switch (action) {
      case "resend":
        if (verified) return [];
        return [cents % 3 ? verificationResent() : addressCorrected(`r${cents}@right.example`)];
      case "verify":
        if (verified) return [];
        if (cents % 5 === 0) return [verifiedByAccount()];
        return [cents % 2 ? verifiedByLink() : verifiedByHand()];
      case "withdraw":
        return verified ? [verificationWithdrawn()] : [reporterNotificationsSet(cents % 2 === 0)];
      case "approve":
        return status === "approved"
          ? []
          : [reportApproved(from, verified, state.slug && cents % 2 ? null : nextSlug())];
      case "reject":
        return status === "rejected" ? [] : [reportRejected(`No, ${cents} times no.`, from)];
      case "review": {
        const to = cents % 2 ? "pending" : "under_review";
        return status === to ? [] : [reportStatusSet(to, from)];
      }
      case "rename":
        return [
          reportEdited({
            personal: {
              set: named(person),
              blind: this.#blindOf(person),
              ...(status === "approved" ? { slug: nextSlug() } : {}),
            },
          }),
        ];
      case "retitle": {
        const edited = reportEdited({
          personal: { set: { title: `Title ${cents}` }, cleared: ["phone"] },
          reporter: {
            set: { reporter_email: `r${cents}@mail.example` },
            cleared: cents % 2 ? ["public_username"] : [],
          },
        });
        // The named key was never created: the events here are not those of one stream.
        if (cents % 5 === 0) return [edited, textMasked("text-0-0", { title: `Masked ${cents}` })];
        return cents % 3 ? [edited] : versionRestored(0, edited);
      }
      case "reprice":
        return [
          reportEdited({
            set:
              state.report_type === "bad_check"
                ? { check_amount_cents: cents }
                : { amount_cents: cents },
            cleared: cents % 2 ? ["chargeback_fee_cents", "other_fees_cents"] : [],
          }),
        ];
      case "chargebacks":
        return [
          reportEdited({
            set: { chargebacks: [{ amount_cents: cents, reason: "fraudulent" }] },
            personal: { set: { chargebacks: [{ last_4: "9999", order_id: "A" }] } },
          }),
        ];
      case "claim":
        return state.claimed_by ? [] : [reportClaimed(CLAIMER)];
      case "disown":
        if (state.claimed_by) return [reportDisowned(state.claimed_by, "address_change_undone")];
        return state.disowned ? [] : [reportDisowned(CLAIMER, "session_over")];
      case "evidence": {
        const [added] = evidenceOf(state);
        if (!added) return [evidenceAdded()];
        return cents % 2 ? evidenceDeleted(added.file_id) : [evidenceErased(added.file_id)];
      }
      case "publish": {
        const [file] = evidenceOf(state);
        return file ? [evidencePublished(file.file_id, { page: 1 + (cents % 3) })] : [];
      }
      case "hide": {
        const shown = state.copies.find(({ hidden, erased }) => !hidden && !erased);
        return shown ? evidenceHidden(shown.copy_id, "A number can be read.") : [];
      }
      case "notice":
        return nextOfNotice(state, cents);
      case "question": {
        const open = state.questions.find((question) => question.state === "open");
        if (!open) return [reporterAsked(undefined, undefined, `Why ${cents}?`)];
        const { question_id } = open;
        return [cents % 3 ? reporterAnswered(question_id) : questionWithdrawn(question_id)];
      }
      case "note":
        return [moderatorNoteWritten(`Note ${cents}`)];
      case "resolution":
        return nextOfResolution(state, cents);
      case "undo":
        return [];
      case "delete":
        // Deletes only sometimes, so that enough reports are left to compare.
        return cents % 3 === 0 ? [reportDeleted("spam", from)] : [];
    }
  }

  #blindOf({ email, card }: Person) {
    const n = this.#number;
    return {
      ...(email === undefined ? {} : { email: [`${n}-${email}`] }),
      ...(card === undefined ? {} : { card: [`${n}-${card}`, `${n}-${card + 1}`] }),
    };
  }
}

/** Files that are neither letters nor erased. */
function evidenceOf({ evidence }: ReportState) {
  return evidence.filter(({ kind, erased }) => kind === "evidence" && !erased);
}

/** The next step of a request for the RESOLVED banner. */
function nextOfResolution({ status, resolution }: ReportState, cents: number): ReportEvent[] {
  const { request_id = "", file_id, stage, payments = [] } = resolution ?? {};
  switch (stage) {
    case "requested":
      return [cents % 3 ? letterAccepted(request_id) : letterRefused(request_id)];
    case "letter_accepted":
      return cents % 4 === 0
        ? [resolutionWithdrawn(request_id), ...(file_id ? [evidenceErased(file_id)] : [])]
        : [checkoutOpened(request_id), paymentAccepted(request_id), reportResolved(request_id)];
    case "resolved": {
      const [{ payment_id = "" } = {}] = payments;
      return [paymentRefunded(payment_id), reportUnresolved(request_id)];
    }
    default:
      return status === "approved" ? resolutionRequested() : [];
  }
}

function named({ name: [first_name, last_name] }: Person) {
  return { first_name, last_name };
}

/** Undoes the deletion, ends it in an erasure, or does nothing. */
function afterDeletion({ deletion }: ReportState, action: Step["action"]): ReportEvent[] {
  if (!deletion) return [];
  if (action === "approve") return [reportDeletionUndone(deletion.from)];
  return action === "delete" ? [reportErased()] : [];
}
