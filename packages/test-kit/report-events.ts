import { randomUUID } from "node:crypto";
import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { ReporterWarning } from "#contracts/events/report/reporter-questions.ts";
import type { ReportSubmitted } from "#contracts/events/report/stored-report.ts";
import type { DeletionReason, ReportStatus } from "#contracts/report/words.ts";

/** When links expire by default: later than every clock. */
export const LINK_ENDS = "2099-01-01T00:00:00.000Z";

/** When deleted reports are erased: later than every clock. */
const ERASE_AT = LINK_ENDS;

type Submitted = OpenData<typeof ReportSubmitted>;
type Personal = NonNullable<Submitted["personal"]>;
type Reporter = NonNullable<Submitted["reporter"]>;
type Edited = OpenData<typeof ReportEdited>;

export interface SubmittedParts {
  readonly report_type?: "chargeback" | "bad_check";
  readonly clear?: Partial<Submitted["report"]>;
  readonly personal?: Partial<Personal["report"]>;
  readonly reporter?: Partial<Reporter["report"]>;
  readonly blind?: Personal["blind"];
}

/** A valid submission: a chargeback of $412.50 about Quinn Ames, unless `parts` says otherwise. */
export function reportSubmitted(parts: SubmittedParts = {}): ReportEvent {
  const { report_type = "chargeback" } = parts;
  const ofType =
    report_type === "chargeback"
      ? {
          amount_cents: 41_250,
          transaction_date: "2026-05-02",
          shipping_status: "not_shipped",
          chargeback_reason: "services_received",
        }
      : { check_amount_cents: 8000, check_date: "2026-06-01", check_reason: "nsf" };
  const personalOfType =
    report_type === "chargeback"
      ? { last_4: "4242" }
      : { check_number: "1042", bank_name: "First Example Bank" };
  return {
    type: "ReportSubmitted",
    data: {
      report_type,
      report: {
        currency: "USD",
        resolution_status: "unresolved",
        chargebacks: [],
        ...ofType,
        ...parts.clear,
      } as Submitted["report"],
      terms_version: "2026-11-21",
      link: { link_id: randomUUID(), expires_at: LINK_ENDS },
      personal: {
        report: {
          first_name: "Quinn",
          last_name: "Ames",
          title: "Disputed a delivered order",
          description: "Signed for the parcel, then disputed the charge.",
          city: "Denver",
          state: "CO",
          zip: "80202",
          country: "US",
          chargebacks: [],
          ...personalOfType,
          ...parts.personal,
        } as Personal["report"],
        blind: parts.blind ?? {},
      },
      reporter: {
        report: {
          reporter_first_name: "Rae",
          reporter_last_name: "Holt",
          reporter_email: "rae@shop.example",
          ...parts.reporter,
        },
        blind: { email: "keyed hash" },
      },
    },
  };
}

export interface EditedParts {
  readonly set?: Edited["set"];
  readonly cleared?: readonly string[];
  readonly personal?: {
    readonly set?: NonNullable<Edited["personal"]>["set"];
    readonly cleared?: readonly string[];
    readonly slug?: string;
    readonly blind?: Personal["blind"];
  };
  readonly reporter?: {
    readonly set?: NonNullable<Edited["reporter"]>["set"];
    readonly cleared?: readonly string[];
    readonly blind?: NonNullable<Edited["reporter"]>["blind"];
  };
}

/** An edit of the given fields. */
export function reportEdited(parts: EditedParts): ReportEvent {
  const { personal, reporter } = parts;
  const fields = [parts, personal, reporter].flatMap((part) => [
    ...Object.keys(part?.set ?? {}),
    ...(part?.cleared ?? []),
  ]);
  return {
    type: "ReportEdited",
    data: {
      fields: fields.length > 0 ? [...new Set(fields)] : ["title"],
      set: parts.set ?? {},
      cleared: [...(parts.cleared ?? [])],
      ...(personal
        ? {
            personal: {
              set: personal.set ?? {},
              cleared: [...(personal.cleared ?? [])],
              ...(personal.slug ? { slug: personal.slug } : {}),
              ...(personal.blind ? { blind: personal.blind } : {}),
            },
          }
        : {}),
      ...(reporter
        ? {
            reporter: {
              set: reporter.set ?? {},
              cleared: [...(reporter.cleared ?? [])],
              ...(reporter.blind ? { blind: reporter.blind } : {}),
            },
          }
        : {}),
    },
  };
}

/** Number of slugs assigned so far; each report gets its own. */
let slugs = 0;

/** The next slug: `slug-a`, `slug-b`... */
export function nextSlug(): string {
  slugs += 1;
  const letters = slugs
    .toString(26)
    .replace(/./g, (digit) => "abcdefghijklmnopqrstuvwxyz"[parseInt(digit, 26)] ?? "");
  return `slug-${letters}`;
}

/** A first approval. Later ones assign no slug (`slug: null`). */
export function reportApproved(
  from: ReportStatus = "pending",
  verified = true,
  slug: string | null = nextSlug(),
): ReportEvent {
  const personal = slug === null ? {} : { personal: { slug } };
  return { type: "ReportApproved", data: { from, verified, ...personal } };
}

export function reportRejected(
  reason = "Nothing that proves it.",
  from: ReportStatus = "pending",
): ReportEvent {
  return { type: "ReportRejected", data: { from, verified: true, personal: { reason } } };
}

export function reportStatusSet(
  to: "pending" | "under_review",
  from: ReportStatus = "pending",
): ReportEvent {
  return { type: "ReportStatusSet", data: { from, to, verified: true } };
}

/** Undoes the decision at that revision and reopens the question that it had closed. */
export function decisionUndone(
  revision: number,
  from: ReportStatus = "approved",
  question_id?: string,
): ReportEvent {
  const undoes = { revision, ...(question_id === undefined ? {} : { question_id }) };
  return { type: "ReportStatusSet", data: { from, to: "pending", verified: true, undoes } };
}

export function reportDeleted(
  reason_code: DeletionReason = "subject_request",
  from: ReportStatus = "pending",
): ReportEvent {
  return { type: "ReportDeleted", data: { from, reason_code, erase_at: ERASE_AT } };
}

export function reportDeletionUndone(to: ReportStatus = "pending"): ReportEvent {
  return { type: "ReportDeletionUndone", data: { to } };
}

export function reportErased(): ReportEvent {
  return { type: "ReportErased", data: {} };
}

export function verificationResent(expires_at = LINK_ENDS): ReportEvent {
  const link = { link_id: randomUUID(), expires_at };
  return { type: "ReportVerificationResent", data: { link } };
}

/** The reporter's address is corrected before it is confirmed. */
export function addressCorrected(email = "rae@right.example"): ReportEvent {
  const link = { link_id: randomUUID(), expires_at: LINK_ENDS };
  const reporter = { email, blind: { email: `keyed hash of ${email}` } };
  return { type: "ReporterAddressCorrected", data: { link, reporter } };
}

/** A moderator's question, which can be answered until `expires_at`. */
export function reporterAsked(
  question_id: string = randomUUID(),
  expires_at = LINK_ENDS,
  question = "Which carrier delivered it?",
): ReportEvent {
  const link = { link_id: question_id, expires_at };
  return { type: "ReporterAsked", data: { link, personal: { question } } };
}

/** A note among moderators. */
export function moderatorNoteWritten(note = "Seen before, at Alpine Watches."): ReportEvent {
  return { type: "ModeratorNoteWritten", data: { personal: { note } } };
}

export function reporterAnswered(question_id: string, answer = "By the post."): ReportEvent {
  return { type: "ReporterAnswered", data: { question_id, reporter: { answer } } };
}

export function questionWithdrawn(question_id: string): ReportEvent {
  return { type: "ReporterQuestionWithdrawn", data: { question_id } };
}

export function verifiedByLink(): ReportEvent {
  return { type: "ReportVerifiedByLink", data: { link_id: randomUUID() } };
}

export function verifiedByAccount(): ReportEvent {
  return { type: "ReportVerifiedByAccount", data: {} };
}

export function verifiedByHand(): ReportEvent {
  return { type: "ReportVerifiedByHand", data: {} };
}

export function verificationWithdrawn(): ReportEvent {
  return { type: "ReportVerificationWithdrawn", data: {} };
}

export function reportClaimed(account_id: string): ReportEvent {
  return { type: "ReportClaimed", data: { account_id } };
}

export function reportDisowned(
  account_id: string,
  cause: "address_change_undone" | "session_over",
): ReportEvent {
  return { type: "ReportDisowned", data: { account_id, cause } };
}

/** An evidence file of type PDF. */
export function evidenceAdded(file_id: string = randomUUID()): ReportEvent {
  const personal = { name: "invoice.pdf", bytes: 812, sha256: "0f".repeat(32) };
  return {
    type: "EvidenceAdded",
    data: { file_id, kind: "evidence", type: "application/pdf", personal },
  };
}

/** A published copy of a page of that file. */
export function evidencePublished(
  file_id: string,
  copy: { readonly copy_id?: string; readonly page?: number; readonly kind?: string } = {},
): ReportEvent {
  const { copy_id = randomUUID(), page = 1, kind = "evidence" } = copy;
  const personal = { width: 800, height: 600, bytes: 4711, sha256: "1f".repeat(32) };
  return {
    type: "EvidencePublished",
    data: { copy_id, file_id, kind, page, type: "image/webp", boxes: 2, personal },
  };
}

/** A published copy is removed, which takes two events. */
export function evidenceHidden(copy_id: string, reason?: string): ReportEvent[] {
  const personal = reason === undefined ? {} : { personal: { reason } };
  return [{ type: "EvidenceHidden", data: { copy_id, ...personal } }, evidenceErased(copy_id)];
}

/** A notice takes the report out of public view. */
export function reportTakenDown(
  notice_id: string,
  reason?: string,
  from: ReportStatus = "approved",
): ReportEvent {
  const personal = reason === undefined ? {} : { personal: { reason } };
  return { type: "ReportTakenDown", data: { notice_id, from, verified: false, ...personal } };
}

/** A notice no longer withholds the report. */
export function reportPutBack(
  notice_id: string,
  to: ReportStatus = "approved",
  slug?: string,
): ReportEvent {
  const personal = slug === undefined ? {} : { personal: { slug } };
  return { type: "ReportPutBack", data: { notice_id, to, verified: false, ...personal } };
}

/** A notice hides a published copy. */
export function evidenceWithheld(copy_id: string, notice_id: string, reason?: string): ReportEvent {
  const personal = reason === undefined ? {} : { personal: { reason } };
  return { type: "EvidenceWithheld", data: { notice_id, copy_id, ...personal } };
}

/** A notice no longer hides a published copy. */
export function evidenceReleased(copy_id: string, notice_id: string): ReportEvent {
  return { type: "EvidenceReleased", data: { notice_id, copy_id } };
}

/** Its reporter infringed copyright for the first time. */
export function reporterWarned(
  notice_id: string,
  warned: Partial<ReporterWarning> = {},
): ReportEvent {
  return { type: "ReporterWarned", data: { notice_id, step: "warning", strike: 1, ...warned } };
}

/** Submissions from the address that was typed are blocked. */
export function submissionHeldBack(until?: string): ReportEvent {
  return { type: "SubmissionHeldBack", data: until === undefined ? {} : { until } };
}

/** A notice no longer counts against the reporter. */
export function reporterWarningLifted(notice_id: string): ReportEvent {
  return { type: "ReporterWarningLifted", data: { notice_id } };
}

/** An edit that restores an earlier version, with the event that records it. */
export function versionRestored(revision: number, edited: ReportEvent): ReportEvent[] {
  return [{ type: "ReportVersionRestored", data: { revision } }, edited];
}

/** A moderator masks private text, which destroys a key. */
export function textMasked(
  key: string,
  set: { readonly title?: string; readonly description?: string },
): ReportEvent {
  return {
    type: "ReportTextMasked",
    data: { fields: Object.keys(set), keys: [key], personal: { set } },
  };
}

/** An admin deletes a file. */
export function evidenceDeleted(file_id: string, reason = "Of another person"): ReportEvent[] {
  return [
    {
      type: "EvidenceDeleted",
      data: { file_id, reason_code: "unrelated", personal: { reason } },
    },
    evidenceErased(file_id),
  ];
}

export function evidenceErased(file_id: string): ReportEvent {
  return { type: "EvidenceErased", data: { file_id } };
}

/** A letter, and the request for the RESOLVED banner that it came with. */
export function resolutionRequested(
  request_id: string = randomUUID(),
  file_id: string = randomUUID(),
): ReportEvent[] {
  const personal = { name: "letter.pdf", bytes: 2048, sha256: "1e".repeat(32) };
  return [
    {
      type: "EvidenceAdded",
      data: { file_id, kind: "letter", type: "application/pdf", personal },
    },
    {
      type: "ResolutionRequested",
      data: {
        request_id,
        file_id,
        amount_cents: 25_000,
        currency: "USD",
        terms_version: "2026-11-23",
      },
    },
  ];
}

export function letterAccepted(request_id: string): ReportEvent {
  return { type: "ResolutionLetterAccepted", data: { request_id } };
}

export function letterRefused(request_id: string, reason = "The seal is missing."): ReportEvent {
  return { type: "ResolutionLetterRefused", data: { request_id, personal: { reason } } };
}

export function resolutionWithdrawn(request_id: string, by = "owner"): ReportEvent {
  return { type: "ResolutionWithdrawn", data: { request_id, by } };
}

/** A payment of the fee by bank transfer. */
export function paymentAccepted(
  request_id: string,
  payment_id: string = randomUUID(),
  reference = "Transfer 118",
): ReportEvent {
  return {
    type: "PaymentAccepted",
    data: {
      payment_id,
      request_id,
      method: "bank_transfer",
      amount_cents: 25_000,
      currency: "USD",
      personal: { reference },
    },
  };
}

/** A checkout page of the payment service, open until the end of 2026. */
export function checkoutOpened(
  request_id: string,
  payment_id: string = randomUUID(),
  session_id = `cs_test_${payment_id}`,
): ReportEvent {
  return {
    type: "CheckoutOpened",
    data: {
      payment_id,
      request_id,
      processor: "stripe",
      live: false,
      amount_cents: 25_000,
      currency: "USD",
      expires_at: "2026-12-31T12:00:00.000Z",
      reporter: { session_id },
    },
  };
}

export function reportResolved(request_id: string): ReportEvent {
  return { type: "ReportResolved", data: { request_id } };
}

export function paymentRefunded(
  payment_id: string,
  reason_code = "mistaken",
  reason = "Meant for another report.",
): ReportEvent {
  return { type: "PaymentRefunded", data: { payment_id, reason_code, personal: { reason } } };
}

export function reportUnresolved(request_id: string): ReportEvent {
  return { type: "ReportUnresolved", data: { request_id } };
}

export function reporterErased(): ReportEvent {
  return { type: "ReporterErased", data: {} };
}

/** The unsubscribe link of an email was used. */
export function reporterNotificationsSet(decisions: boolean): ReportEvent {
  return { type: "ReporterNotificationsSet", data: { by: "unsubscribe_link", decisions } };
}
