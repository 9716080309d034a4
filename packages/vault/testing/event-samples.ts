/** One sealed event of each type, with the keys that open them and what they contain. For tests. */

import { randomBytes, randomUUID } from "node:crypto";
import { type RegistryEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { chainEvents, GENESIS_HASH } from "#event-store/batch.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { KeyLookup } from "../keys/key-store.ts";
import { registryCodec } from "../sealing/event-codec.ts";
import { seal } from "../sealing/seal.ts";

/** Digits of a card in `personal`: ciphertext that holds them by chance is sealed again. */
const CARD_DIGITS = "4242";

/** Without these digits, which no stored sample may contain. */
function newId(): string {
  for (;;) {
    const id = randomUUID();
    if (!id.includes(CARD_DIGITS)) return id;
  }
}

const reportId = newId();
const userId = newId();
const linkId = newId();
const inquiryId = newId();
const contentId = newId();
const month = "2026-11";
const link = { link_id: linkId, expires_at: "2026-11-23T10:00:00.000Z" };

const clear = {
  currency: "USD" as const,
  amount_cents: 41250,
  check_amount_cents: 0,
  chargeback_fee_cents: 2500,
  other_fees_cents: 1,
  transaction_date: "2026-05-02",
  chargeback_date: "2026-06-02",
  check_date: "2026-05-03",
  chargeback_reason: "fraudulent" as const,
  check_reason: "nsf" as const,
  shipping_status: "shipped" as const,
  resolution_status: "unresolved" as const,
  chargebacks: [{ amount_cents: 100, date: "2026-05-04", reason: "duplicate" as const }],
};
const personal = {
  first_name: "Zoë 😀",
  last_name: "Ames",
  middle_initial: "Q",
  title: "עברית",
  description: "Signed for,\nthen disputed.",
  email: "zoe@example.net",
  phone: "+1 303 555 0142",
  item_purchased: "A lamp",
  tracking_number: "1Z",
  ip_address: "192.0.2.1, 198.51.100.7",
  street_address: "1 Main St",
  city: "Denver",
  state: "CO",
  zip: "80202",
  country: "US" as const,
  notes: "none",
  first_6: "411111",
  last_4: CARD_DIGITS,
  check_number: "1",
  bank_name: "First",
  bank_routing: "123456789",
  bank_account: "000123456789",
  chargebacks: [{ order_id: "A-1", first_6: "411111", last_4: "4242", notes: "again" }],
};
const reporter = {
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae@shop.example",
  reporter_phone: "+1 303 555 0143",
  reporter_company_name: "Lamps & Co",
  public_username: "Lamps",
};
const blind = {
  email: ["e"],
  phone: ["p"],
  card: ["c1", "c2"],
  bank_account: ["b"],
  street_zip: ["s"],
};

const text = {
  slug: "terms",
  title: "Terms of {{product_name}}",
  description: "What you agree to",
  body: "## 1. Ärger\n\n- *a*",
};
/** Of a template of emails. */
const mailTemplate = {
  name: "Friendlier",
  subject: "Your report to {{ product_name }}",
  body: "Hello {{ first_name }}",
};
const inForce = { version: "2026-11-23", effective_date: "2026-11-23" };
const sender = {
  name: "Rae Holt",
  email: "rae@shop.example",
  answers: [{ field: "useCase", text: "Checks orders\nin Denver" }],
};

const order = {
  name: "order 12.pdf",
  type: "application/pdf",
  bytes: 51_200,
  sha256: "0".repeat(63).concat("5"),
} as const;

const written: Record<string, readonly RegistryEvent[]> = {
  [streams.log]: [
    { type: "LogStarted", data: {} },
    { type: "LogRestored", data: { erasure_ledger_lost: true } },
    { type: "SamplesLoaded", data: { reports: 40 } },
    { type: "SamplesCleared", data: { reports: 40 } },
  ],
  [streams.user(userId)]: [
    {
      type: "AccountAdded",
      data: {
        role: "admin",
        account: {
          email: "dana@registry.example",
          first_name: "Dana",
          last_name: "Ruiz",
          phone: "+1 303 555 0144",
          company: "Dana's Lamps",
          website: "https://lamps.example",
          blind: { email: "a" },
        },
      },
    },
    { type: "PasswordReset", data: {} },
    { type: "SessionsEnded", data: { cause: "password_changed", kept_session_id: linkId } },
    { type: "DeviceConfirmationRequested", data: { link } },
    { type: "DeviceConfirmed", data: { link_id: linkId } },
    { type: "AccountErased", data: {} },
  ],
  [streams.user(newId())]: [
    {
      type: "AccountRegistered",
      data: {
        terms_version: "2026-11-21",
        link,
        account: {
          email: "rae@shop.example",
          first_name: "Rae",
          last_name: "Holt",
          phone: "+1 303 555 0143",
          company: "Lamps & Co",
          website: "https://lamps.example",
          blind: { email: "a" },
        },
      },
    },
    { type: "EmailConfirmationRequested", data: { link } },
    { type: "RegistrationAttempted", data: { quiet_until: "2026-11-24T10:00:00.000Z" } },
    {
      type: "EmailConfirmed",
      data: {
        by: "reset_link",
        link_id: linkId,
        dropped: true,
        account: { email: "rae@shop.example", blind: { email: "a" } },
      },
    },
    { type: "PasswordResetRequested", data: { link, delivery: "answer", device: "unknown" } },
    { type: "PasswordChanged", data: { by: "reset_link", link_id: linkId } },
    { type: "SessionsEnded", data: { cause: "email_confirmed" } },
    {
      type: "ProfileEdited",
      data: {
        fields: ["first_name", "bio"],
        account: {
          first_name: "Rae",
          last_name: "Holt",
          phone: "+1 303 555 0143",
          company: "Lamps & Co",
          website: "https://lamps.example",
          job_title: "Owner",
          bio: "Sells lamps\nand more lamps.",
        },
      },
    },
    { type: "NotificationsSet", data: { by: "unsubscribe_link", same_person: false } },
    {
      type: "TwoFactorEnabled",
      data: { factor_id: linkId, method: "totp", codes_id: userId, recovery_codes: 10 },
    },
    { type: "RecoveryCodeUsed", data: { codes_id: userId, code: 10 } },
    { type: "RecoveryCodesReplaced", data: { codes_id: linkId, recovery_codes: 10 } },
    { type: "EmailChangeRequested", data: { link, account: { email: "rae@mail.example" } } },
    { type: "EmailChangeWithdrawn", data: {} },
    {
      type: "EmailChanged",
      data: {
        link_id: linkId,
        undo_link: link,
        account: {
          email: "rae@mail.example",
          blind: { email: "b" },
          former_email: "rae@shop.example",
        },
      },
    },
    {
      type: "EmailChangeUndone",
      data: {
        link_id: linkId,
        two_factor: "kept",
        account: { email: "rae@shop.example", blind: { email: "a" } },
      },
    },
    { type: "TwoFactorDisabled", data: { factor_id: linkId } },
    {
      type: "TwoFactorReset",
      data: { factor_id: linkId, told: [userId], account: { reason: "Lost phone of Dana" } },
    },
    { type: "AccountDataExported", data: {} },
    {
      type: "AccountBanned",
      data: {
        until: "2026-12-23T10:00:00.000Z",
        reason_code: "repeat_infringer",
        told: [userId],
        account: { reason: "Made reports up about Dana" },
      },
    },
    { type: "AccountUnbanned", data: { by: "end", told: [userId] } },
    { type: "AccountRoleChanged", data: { from: "user", to: "admin", told: [userId] } },
    {
      type: "AccountClosed",
      data: { by: "owner", erase_at: "2026-11-23T10:00:00.000Z", reason_code: "other" },
    },
    { type: "AccountReopened", data: { by: "admin", told: [userId] } },
    { type: "AccountReopened", data: { by: "owner" } },
    { type: "AccountReplaced", data: { replaced_by: userId } },
    { type: "AccountExpired", data: {} },
  ],
  [streams.user(newId())]: [
    {
      type: "AccountInvited",
      data: {
        role: "auditor",
        link,
        told: [userId],
        account: {
          email: "ida@shop.example",
          first_name: "Ida",
          last_name: "Holt",
          phone: "+1 303 555 0144",
          company: "Lamps & Co",
          blind: { email: "c" },
        },
      },
    },
    { type: "AccountClosed", data: { by: "admin" } },
  ],
  [streams.session(newId())]: [
    {
      type: "SessionStarted",
      data: {
        account_id: userId,
        method: "password",
        device: "linked",
        account_revision: 3,
        expires_at: "2027-02-19T10:00:00.000Z",
      },
    },
    { type: "SessionUsed", data: {} },
    { type: "PasswordProved", data: {} },
    { type: "SessionEnded", data: { cause: "refresh_token_reused" } },
  ],
  [streams.inquiry(inquiryId)]: [
    {
      type: "InquiryReceived",
      data: { kind: "law_enforcement", sender: { ...sender, document: order } },
    },
    { type: "InquiryViewed", data: {} },
    { type: "InquiryDocumentViewed", data: {} },
    { type: "InquiryStatusChanged", data: { from: "new", to: "in_work" } },
    {
      type: "InquiryNoteAdded",
      data: { note_id: newId(), note: { text: "Called the agency" } },
    },
    {
      type: "InquiryAnswered",
      data: {
        link: { link_id: linkId, expires_at: "2026-12-22T10:00:00.000Z" },
        note: { text: "Please send the order as a PDF" },
      },
    },
    {
      type: "InquiryReplied",
      data: { answer_id: linkId, sender: { text: "The order is attached to our letter" } },
    },
    { type: "ReportDisclosed", data: { report_id: reportId, revision: 0 } },
    { type: "InquiryErased", data: { by: "operator" } },
  ],
  [streams.mail(inquiryId)]: [
    { type: "MailResent", data: { mail_id: `mail-${inquiryId}-approved`, kind: "approved" } },
  ],
  [streams.notice(inquiryId)]: [
    { type: "NoticeReceived", data: { kind: "counter_notice", sender } },
    { type: "NoticeViewed", data: {} },
    { type: "NoticeLinked", data: { report_id: reportId, copy_id: linkId } },
    { type: "NoticeUnlinked", data: { report_id: reportId } },
    {
      type: "NoticeRefused",
      data: { reason_code: "unfounded", decision: { reason: "A price is no work" } },
    },
    {
      type: "NoticeGranted",
      data: { outcome: "taken_down", decision: { reason: "The picture is from a book" } },
    },
    { type: "NoticeCountered", data: { counter_notice_id: linkId } },
    { type: "NoticeLifted", data: { by: "counter_notice", counter_notice_id: linkId } },
    { type: "CounterNoticeLinked", data: { notice_id: linkId } },
    {
      type: "NoticeNoteAdded",
      data: { note_id: newId(), note: { text: "Asked for the book" } },
    },
    { type: "NoticeErased", data: { by: "retention" } },
  ],
  [streams.content(contentId)]: [
    { type: "ContentShipped", data: { kind: "legal", ...inForce, content: text } },
    { type: "ContentEdited", data: { content: { ...text, body: "Be fair" } } },
    { type: "ContentRestored", data: { revision: 0, content: text } },
    { type: "ContentPublished", data: { ...inForce, version: "2026-11-24.2" } },
  ],
  [streams.content(newId())]: [
    { type: "ContentCreated", data: { kind: "faq", content: { ...text, order: 3 } } },
    { type: "ContentPublished", data: {} },
    { type: "ContentUnpublished", data: {} },
    { type: "ContentDeleted", data: {} },
  ],
  [streams.template("approved")]: [
    { type: "TemplateCreated", data: { template_id: contentId, template: mailTemplate } },
    {
      type: "TemplateCreated",
      data: { template_id: inquiryId, from: contentId, template: mailTemplate },
    },
    {
      type: "TemplateEdited",
      data: { template_id: contentId, template: { ...mailTemplate, body: "Hi" } },
    },
    { type: "TemplateActivated", data: { template_id: contentId, told: [userId] } },
    {
      type: "TemplateRestored",
      data: { template_id: contentId, revision: 0, told: [userId], template: mailTemplate },
    },
    { type: "TemplateTested", data: { template_id: contentId, to: userId } },
    { type: "TemplateDeactivated", data: { template_id: contentId, told: [userId] } },
    { type: "TemplateDeleted", data: { template_id: contentId } },
  ],
  [streams.report(reportId)]: [
    {
      type: "ReportSubmitted",
      data: {
        report_type: "chargeback",
        report: clear,
        terms_version: "2026-11-21",
        link,
        personal: { report: personal, blind },
        reporter: { report: reporter, blind: { email: "r" } },
      },
    },
    { type: "ReportVerificationResent", data: { link } },
    {
      type: "ReporterAddressCorrected",
      data: { link, reporter: { email: "rae@right.example", blind: { email: "r" } } },
    },
    { type: "ReportVerifiedByLink", data: { link_id: linkId } },
    {
      type: "ReporterAsked",
      data: { link, personal: { question: "Which carrier\ndelivered it?" } },
    },
    {
      type: "ReporterAnswered",
      data: { question_id: linkId, reporter: { answer: "The post: 1Z" } },
    },
    { type: "ReporterQuestionWithdrawn", data: { question_id: linkId } },
    { type: "ModeratorNoteWritten", data: { personal: { note: "Seen\nbefore" } } },
    { type: "ReportVerificationWithdrawn", data: {} },
    { type: "ReportVerifiedByHand", data: {} },
    { type: "ReportVerifiedByAccount", data: {} },
    { type: "ReporterNotificationsSet", data: { by: "unsubscribe_link", decisions: false } },
    { type: "ReportStatusSet", data: { from: "pending", to: "under_review", verified: true } },
    {
      type: "ReportRejected",
      data: {
        from: "under_review",
        verified: true,
        reason_code: "other",
        personal: { reason: "No proof" },
      },
    },
    {
      type: "ReportApproved",
      data: { from: "rejected", verified: true, personal: { slug: "zoe-ames" } },
    },
    { type: "ReportStatusSet", data: { from: "approved", to: "pending", verified: true } },
    {
      type: "ReportStatusSet",
      data: {
        from: "rejected",
        to: "pending",
        verified: true,
        undoes: { revision: 4, question_id: linkId },
      },
    },
    { type: "ReportApproved", data: { from: "pending", verified: true } },
    {
      type: "ReportEdited",
      data: {
        fields: ["last_name", "phone", "amount", "reporter_email", "reporter_phone"],
        set: { amount_cents: 48000 },
        cleared: ["chargeback_date"],
        personal: {
          set: { last_name: "Adams" },
          cleared: ["phone"],
          slug: "zoe-adams-qzkfwa",
          blind,
        },
        reporter: {
          set: { reporter_email: "rae@mail.example" },
          cleared: ["reporter_phone"],
          blind: { email: "r2" },
        },
      },
    },
    { type: "ReportVersionRestored", data: { revision: 0 } },
    {
      type: "ReportTextMasked",
      data: {
        fields: ["description"],
        keys: [subjects.text(reportId, 0)],
        personal: {
          set: { title: "Unpaid crate", description: "He wrote from q***@***", chargebacks: [] },
          around: [{ path: "moderator_notes.0.note", text: "Ask q***@*** first" }],
        },
        reporter: {
          set: { public_username: "Rowan Imports" },
          around: [{ path: "questions.0.answer", text: "Zoë wrote from q***@***" }],
        },
      },
    },
    { type: "ReportClaimed", data: { account_id: userId } },
    { type: "ReportDisowned", data: { account_id: userId, cause: "address_change_undone" } },
    {
      type: "EvidenceAdded",
      data: {
        file_id: linkId,
        kind: "evidence",
        type: "image/png",
        personal: { name: "Zoë's check.png", bytes: 48_211, sha256: "0f".repeat(32) },
      },
    },
    {
      type: "EvidencePublished",
      data: {
        copy_id: userId,
        file_id: linkId,
        kind: "check_image",
        page: 2,
        type: "image/webp",
        boxes: 3,
        personal: { width: 1200, height: 800, bytes: 31_007, sha256: "1f".repeat(32) },
      },
    },
    {
      type: "EvidenceHidden",
      data: { copy_id: userId, reason_code: "other", personal: { reason: "A number can be read" } },
    },
    {
      type: "EvidenceWithheld",
      data: { notice_id: linkId, copy_id: userId, personal: { reason: "It is from a book" } },
    },
    { type: "EvidenceReleased", data: { notice_id: linkId, copy_id: userId } },
    {
      type: "ReportTakenDown",
      data: {
        notice_id: linkId,
        from: "approved",
        verified: true,
        personal: { reason: "It quotes a book" },
      },
    },
    {
      type: "ReportPutBack",
      data: { notice_id: linkId, to: "approved", verified: true, personal: { slug: "zoe-ames" } },
    },
    {
      type: "ReporterWarned",
      data: {
        notice_id: linkId,
        step: "suspension",
        strike: 2,
        until: "2026-12-24T10:00:00.000Z",
        account_id: userId,
        counted_before: true,
      },
    },
    { type: "ReporterWarningLifted", data: { notice_id: linkId } },
    { type: "SubmissionHeldBack", data: { until: "2026-12-24T10:00:00.000Z" } },
    {
      type: "EvidenceDeleted",
      data: {
        file_id: linkId,
        reason_code: "unrelated",
        personal: { reason: "Shows another person's parcel" },
      },
    },
    {
      type: "ResolutionRequested",
      data: {
        request_id: linkId,
        file_id: linkId,
        amount_cents: 25_000,
        currency: "USD",
        terms_version: "2026-11-23",
      },
    },
    {
      type: "ResolutionLetterRefused",
      data: {
        request_id: linkId,
        reason_code: "other",
        personal: { reason: "The notary’s seal is missing." },
      },
    },
    { type: "ResolutionWithdrawn", data: { request_id: linkId, by: "owner" } },
    { type: "ResolutionLetterAccepted", data: { request_id: linkId } },
    {
      type: "CheckoutOpened",
      data: {
        payment_id: linkId,
        request_id: linkId,
        processor: "stripe",
        live: true,
        amount_cents: 25_000,
        currency: "USD",
        expires_at: "2026-11-23T11:00:00.000Z",
        reporter: { session_id: "cs_live_a1B2c3" },
      },
    },
    {
      type: "PaymentAccepted",
      data: {
        payment_id: linkId,
        request_id: linkId,
        method: "bank_transfer",
        amount_cents: 25_000,
        currency: "USD",
        told: [userId],
        personal: { reference: "Transfer 2026/118" },
      },
    },
    { type: "ReportResolved", data: { request_id: linkId } },
    {
      type: "PaymentRefunded",
      data: {
        payment_id: linkId,
        reason_code: "mistaken",
        told: [userId],
        personal: { reason: "Meant for another report." },
      },
    },
    { type: "ReportUnresolved", data: { request_id: linkId } },
    { type: "ReporterErased", data: {} },
    { type: "EvidenceErased", data: { file_id: linkId } },
    { type: "ReportDeletionRequested", data: { reason_code: "court_order", told: [userId] } },
    {
      type: "ReportDeleted",
      data: {
        from: "approved",
        reason_code: "court_order",
        erase_at: "2026-11-21T10:00:00.000Z",
      },
    },
    { type: "ReportDeletionUndone", data: { to: "approved" } },
    { type: "ReportErased", data: {} },
  ],
  [streams.payment(linkId)]: [
    {
      type: "PaymentUnmatched",
      data: {
        processor: "stripe",
        problem: "reporter_erased",
        live: true,
        event_id: "evt_1Nqq7a",
        told: [userId],
      },
    },
  ],
  [streams.settings]: [
    {
      type: "SettingsChanged",
      data: {
        maintenance_mode: true,
        maintenance_until: "2026-11-23T12:00:00.000Z",
        email_notifications: false,
        auto_backup: false,
        debug_mode: true,
        rate_limit_enabled: false,
        rate_limit_off_until: "2026-11-23T11:00:00.000Z",
        max_file_size: 8,
        session_timeout: 45,
        told: [userId],
        content: { maintenance_message: "Back at noon, für alle." },
      },
    },
    { type: "SettingsChanged", data: { maintenance_mode: false, maintenance_until: "" } },
    {
      type: "SettingsChanged",
      data: {
        backup_time: "03:30",
        backup_keep: 14,
        staff_second_factor: "on",
        reject_reasons_off: ["duplicate"],
        keep_unconfirmed_reports: 7,
        keep_unconfirmed_accounts: 7,
        keep_rejected_reports: 90,
        keep_inquiries: 180,
        keep_security_events: 30,
        told: [userId],
        content: { support_email: "help@registry.example", sales_email: "" },
      },
    },
  ],
  [streams.system(linkId)]: [
    { type: "SystemActionStarted", data: { job_id: linkId, action: "clear-cache" } },
    {
      type: "SystemActionEnded",
      data: { job_id: linkId, action: "clear-cache", outcome: "done", count: 12 },
    },
  ],
  [streams.access(newId())]: [
    {
      type: "PersonalDataViewed",
      data: { report_id: reportId, revision: 0, parts: ["personal", "reporter"], files: [] },
    },
  ],
  [streams.access(newId())]: [
    { type: "AccountDataViewed", data: { account_id: userId, revision: 0 } },
  ],
  [streams.access(newId())]: [
    { type: "EvidenceViewed", data: { report_id: reportId, file_id: linkId } },
  ],
  [streams.access(newId())]: [
    {
      type: "MailViewed",
      data: {
        mail_id: `mail-${reportId}-approved`,
        kind: "approved",
        owner: "report",
        owner_id: reportId,
      },
    },
  ],
  [streams.access(newId())]: [
    {
      type: "ListExported",
      data: {
        list: "users",
        format: "csv",
        rows: 3,
        account: { filter: { search: "x@example.net", status: "active" } },
      },
    },
  ],
  [streams.security(newId())]: [
    {
      type: "SignInFailed",
      data: { cause: "link_required", security: { email: "x@example.net", account_id: userId } },
    },
  ],
  [streams.security(newId())]: [
    {
      type: "CallRefused",
      data: {
        method: "POST",
        route: "/prod/api/admin/reports/:id/approve",
        code: "forbidden",
        count: 2,
      },
    },
  ],
  [streams.security(newId())]: [
    {
      type: "ContactFound",
      data: { method: "GET", route: "/prod/api/reports/search", count: 3 },
    },
  ],
  [streams.security(newId())]: [
    { type: "ContactAlarmRaised", data: { found: 25, accounts: 50, told: [userId] } },
  ],
  [streams.security(newId())]: [
    {
      type: "ProofFailed",
      data: { cause: "wrong_password", security: { account_id: userId } },
    },
  ],
};

const codec = registryCodec;
const subjectOf: Record<string, string> = {
  personal: subjects.personal(reportId),
  reporter: subjects.reporter(reportId),
  text: subjects.text(reportId, 0),
  account: subjects.account(userId),
  security: subjects.security(month),
  sender: subjects.inquiry(inquiryId),
  note: subjects.inquiry(inquiryId),
  decision: subjects.inquiry(inquiryId),
  content: subjects.content(contentId),
  template: subjects.template("approved"),
};
/** The keys of every sealed part. */
export const sampleKeys: ReadonlyMap<string, KeyLookup> = new Map<string, KeyLookup>(
  Object.values(subjectOf).map((subject) => [subject, { state: "present", key: randomBytes(32) }]),
);

export interface EventSample {
  readonly stored: StoredEvent;
  /** Its data before it was sealed. */
  readonly opened: Readonly<Record<string, unknown>>;
}

function sealAll(): EventSample[] {
  let place = 0;
  return Object.entries(written).flatMap(([stream, list]) => {
    const drafts = list.map((event) => {
      const id = newId();
      const key = subjects.account(userId);
      const found = sampleKeys.get(key);
      if (found?.state !== "present") throw new Error("no key");
      const context = {
        eventId: id,
        stream,
        type: event.type,
        schemaVersion: codec.versionOf(event.type),
        part: "client",
        key,
      };
      return {
        id,
        type: event.type,
        data: codec.sealEvent(
          event,
          { id, stream, subjectOf: (part) => subjectOf[part] as string },
          sampleKeys,
        ),
        metadata: {
          actor: { id: userId, role: "admin" as const },
          origin: "live" as const,
          client: seal(found.key, { ip: "192.0.2.9", user_agent: "Firefox" }, context),
          command: "Sample",
          commandId: randomBytes(32).toString("hex"),
          bodyMac: randomBytes(32).toString("hex"),
          correlationId: newId(),
          causationId: newId(),
          schemaVersion: codec.versionOf(event.type),
          time: "2026-11-21T10:00:00.000Z",
        },
      };
    });
    return chainEvents(stream, 0, GENESIS_HASH, drafts).map((event, revision) => {
      place += 1;
      const position = String(place).padStart(20, "0");
      return {
        stored: { ...event, stream, revision, position },
        opened: { ...list[revision]?.data },
      };
    });
  });
}

/** Every sample, stream by stream. */
export const eventSamples: readonly EventSample[] = sealedWithoutDigits();

function sealedWithoutDigits(): EventSample[] {
  for (;;) {
    const samples = sealAll();
    if (!JSON.stringify(samples.map(({ stored }) => stored)).includes(CARD_DIGITS)) return samples;
  }
}
