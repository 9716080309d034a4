import type { MailKind } from "./mail-kinds.ts";
import {
  type TemplateValues,
  type TemplateVariable,
  type TemplateVariableName,
  templateVariables,
} from "./template-variables.ts";

export const TEMPLATE_TYPES = {
  email: "Email",
  notification: "Notification",
  report: "Report",
  legal: "Legal",
} as const;
type TemplateType = keyof typeof TEMPLATE_TYPES;

/** `draft`: was never active. At most one template of a kind is active; without one, the default applies. */
export const TEMPLATE_STATUSES = {
  active: "Active",
  inactive: "Inactive",
  draft: "Draft",
} as const;
export type TemplateStatus = keyof typeof TEMPLATE_STATUSES;

interface TemplateKindRow {
  /** Title in the console. */
  readonly title: string;
  readonly type: TemplateType;
  readonly variables: readonly TemplateVariableName[];
}

const account = ["product_name", "site_url", "first_name"] as const;
const told = [...account, "when"] as const;
const report = [...account, "title"] as const;
/** For an email to an unconfirmed address: no text that a stranger wrote. */
const fixed = ["product_name", "site_url"] as const;
const form = [...fixed, "number", "form", "form_title", "promise"] as const;
const notice = [...fixed, "number"] as const;

/**
 * The kinds of email whose text admins can change, and the variables of each. Emails to the registry's own
 * inboxes, and those that notify admins about templates or settings, cannot be changed.
 */
export const templateKinds = {
  verification: { title: "Confirm a report", type: "report", variables: fixed },
  question: {
    title: "Question about a report",
    type: "report",
    variables: [...report, "question"],
  },
  approved: { title: "Report published", type: "report", variables: report },
  rejected: { title: "Report not published", type: "report", variables: [...report, "reason"] },
  under_review: { title: "Report under review", type: "report", variables: report },
  pending: { title: "Report awaiting review", type: "report", variables: report },
  taken_down: {
    title: "Report taken down by a notice",
    type: "legal",
    variables: [...report, "reason", "number"],
  },
  put_back: { title: "Report public again", type: "legal", variables: [...report, "number"] },
  evidence_withheld: {
    title: "Picture taken down by a notice",
    type: "legal",
    variables: [...report, "reason", "number"],
  },
  evidence_released: {
    title: "Picture shown again",
    type: "legal",
    variables: [...report, "number"],
  },
  infringer_warned: {
    title: "Warning after a notice",
    type: "legal",
    variables: [...report, "number"],
  },
  infringer_suspended: {
    title: "Suspension after a notice",
    type: "legal",
    variables: [...report, "number", "until"],
  },
  submission_held_back: {
    title: "Report from a suspended address",
    type: "legal",
    variables: [...fixed, "until"],
  },
  letter_accepted: {
    title: "RESOLVED: letter accepted",
    type: "report",
    variables: [...report, "fee"],
  },
  letter_refused: {
    title: "RESOLVED: letter not accepted",
    type: "report",
    variables: [...report, "reason"],
  },
  resolved: { title: "RESOLVED: banner shown", type: "report", variables: [...report, "fee"] },
  payment_refunded: {
    title: "Payment refunded",
    type: "report",
    variables: [...report, "reason"],
  },
  payment_told: {
    title: "To admins: payment recorded or refunded",
    type: "notification",
    variables: account,
  },
  payment_unmatched: {
    title: "To admins: payment that matches no fee",
    type: "notification",
    variables: told,
  },
  sign_in_link: { title: "Link for a new device", type: "email", variables: fixed },
  account_confirmation: { title: "Confirm an account", type: "email", variables: fixed },
  registration_attempted: {
    title: "Registration with a known address",
    type: "email",
    variables: account,
  },
  password_reset: { title: "Set a new password", type: "email", variables: account },
  password_changed: { title: "Password changed", type: "email", variables: told },
  two_factor_on: { title: "Two-factor authentication on", type: "email", variables: told },
  two_factor_off: { title: "Two-factor authentication off", type: "email", variables: told },
  two_factor_reset: { title: "Two-factor authentication reset", type: "email", variables: told },
  two_factor_reset_told: {
    title: "To admins: second factor reset",
    type: "notification",
    variables: told,
  },
  recovery_codes_replaced: { title: "New recovery codes", type: "email", variables: told },
  recovery_code_used: { title: "Recovery code used", type: "email", variables: told },
  account_deleted: {
    title: "Account deleted by its owner",
    type: "email",
    variables: [...told, "erased"],
  },
  account_kept: { title: "Deletion canceled by signing in", type: "email", variables: told },
  account_deleted_undo: {
    title: "Account deleted, to a previous address",
    type: "email",
    variables: [...told, "erased"],
  },
  account_invited: { title: "Invitation", type: "email", variables: fixed },
  account_banned: {
    title: "Account banned",
    type: "email",
    variables: [...told, "until", "reason"],
  },
  account_unbanned: { title: "Ban ended", type: "email", variables: told },
  role_changed: { title: "Role changed", type: "email", variables: told },
  profile_edited: { title: "Profile edited by an admin", type: "email", variables: told },
  account_removed: {
    title: "Account closed by an admin",
    type: "email",
    variables: [...told, "is_erased"],
  },
  account_reopened: { title: "Account reopened", type: "email", variables: told },
  staff_changed: { title: "To admins: staff changed", type: "notification", variables: told },
  new_device: { title: "Sign-in from a new device", type: "email", variables: told },
  same_person: {
    title: "Another report on the same person",
    type: "notification",
    variables: report,
  },
  weekly_summary: {
    title: "Weekly summary",
    type: "notification",
    variables: [...account, "week_start", "week_end", "views", "approved", "rejected", "further"],
  },
  email_change: { title: "Confirm a new address", type: "email", variables: fixed },
  email_change_warning: { title: "Email change requested", type: "email", variables: told },
  email_changed: { title: "Address changed", type: "email", variables: told },
  inquiry_received: { title: "Inquiry received", type: "email", variables: form },
  inquiry_answered: {
    title: "Answer to an inquiry",
    type: "email",
    variables: [...notice, "form", "form_title", "answer"],
  },
  notice_received: { title: "Notice received", type: "legal", variables: form },
  notice_refused: {
    title: "Notice refused",
    type: "legal",
    variables: [...notice, "form", "form_title", "refusal"],
  },
  notice_granted: { title: "Notice: material taken down", type: "legal", variables: notice },
  notice_countered: {
    title: "Notice: counter-notice received",
    type: "legal",
    variables: [...notice, "counter_number", "back_first", "back_last"],
  },
  notice_lifted: { title: "Notice: material back", type: "legal", variables: notice },
  counter_notice_passed_on: {
    title: "Counter-notice forwarded",
    type: "legal",
    variables: [...notice, "back_first", "back_last"],
  },
  counter_notice_granted: {
    title: "Counter-notice: material back",
    type: "legal",
    variables: notice,
  },
} as const satisfies Readonly<Partial<Record<MailKind, TemplateKindRow>>>;

export type TemplateKind = keyof typeof templateKinds;
export const TEMPLATE_KINDS = Object.keys(templateKinds) as readonly TemplateKind[];

/** Whether admins can change the text of this kind of email. */
export function isTemplateKind(kind: string): kind is TemplateKind {
  return Object.hasOwn(templateKinds, kind);
}

/** Returns the row of a kind, typed like every other row. */
export function templateKind(kind: TemplateKind): TemplateKindRow {
  return templateKinds[kind];
}

/** Returns the variables of a kind, with their labels and samples. */
export function variablesOf(
  kind: TemplateKind,
): readonly (TemplateVariable & { readonly name: TemplateVariableName })[] {
  return templateKind(kind).variables.map((name) => ({ name, ...templateVariables[name] }));
}

/** Returns the values for a preview or test email of a kind. */
export function sampleValues(kind: TemplateKind, productName: string): TemplateValues {
  const own = { product_name: productName };
  const samples = variablesOf(kind).map(({ name, sample }) => [name, sample]);
  return { ...Object.fromEntries(samples), ...own };
}

/** Whether the value is text that someone wrote, not the software. */
export function isUserText(name: TemplateVariableName): boolean {
  const variable: TemplateVariable = templateVariables[name];
  return variable.isUserText ?? false;
}

/** Maximum lengths of a template's parts, in characters. */
export const TEMPLATE_BOUNDS = { name: 100, subject: 300, body: 100_000 } as const;
/** Maximum number of templates of one kind, not counting deleted ones and the default. */
export const MAX_TEMPLATES = 20;
