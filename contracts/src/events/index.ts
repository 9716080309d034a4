import { accessDefinitions } from "./access.ts";
import { contentDefinitions } from "./content.ts";
import type { OpenEvent } from "./definition.ts";
import { inquiryDefinitions } from "./inquiry/inquiry-events.ts";
import { logDefinitions } from "./log.ts";
import { MailResent } from "./mail-events.ts";
import { PaymentUnmatched } from "./payment-events.ts";
import { CheckoutOpened } from "./report/checkout.ts";
import { evidenceDefinitions } from "./report/evidence-events.ts";
import { reportDecisionDefinitions, reportDeletionDefinitions } from "./report/report-decisions.ts";
import { ReportEdited, ReportTextMasked } from "./report/report-edited.ts";
import {
  reporterQuestionDefinitions,
  reporterWarningDefinitions,
} from "./report/reporter-questions.ts";
import { resolutionDefinitions } from "./report/resolution.ts";
import { reportSubmittedDefinitions } from "./report/stored-report.ts";
import { securityDefinitions } from "./security-events.ts";
import { sessionDefinitions } from "./session.ts";
import { SettingsChanged } from "./settings.ts";
import { systemDefinitions } from "./system.ts";
import { templateDefinitions, templateStream } from "./template.ts";
import { accountCredentialDefinitions } from "./user/account-credentials.ts";
import {
  moderationDefinitions,
  registrationDefinitions,
  userDefinitions,
} from "./user/user-events.ts";

export const reportEvents = [
  ...reportSubmittedDefinitions,
  ReportEdited,
  ReportTextMasked,
  ...reportDecisionDefinitions,
  ...reporterWarningDefinitions,
  ...evidenceDefinitions,
  ...resolutionDefinitions,
  CheckoutOpened,
  ...reporterQuestionDefinitions,
  ...reportDeletionDefinitions,
] as const;
export const userEvents = [
  ...userDefinitions,
  ...registrationDefinitions,
  ...moderationDefinitions,
  ...accountCredentialDefinitions,
] as const;
export const sessionEvents = sessionDefinitions;
export const inquiryEvents = inquiryDefinitions;
export const contentEvents = contentDefinitions;
export const settingsEvents = [SettingsChanged] as const;
export const systemEvents = systemDefinitions;
export const templateEvents = templateDefinitions;
export const mailEvents = [MailResent] as const;
export const paymentEvents = [PaymentUnmatched] as const;
export const logEvents = logDefinitions;

/** Every event the log can hold, in its newest version. */
export const eventDefinitions = [
  ...reportEvents,
  ...userEvents,
  ...sessionEvents,
  ...inquiryEvents,
  ...contentEvents,
  ...settingsEvents,
  ...systemEvents,
  ...templateEvents,
  ...mailEvents,
  ...paymentEvents,
  ...logEvents,
  ...accessDefinitions,
  ...securityDefinitions,
] as const;

export type ReportEvent = OpenEvent<(typeof reportEvents)[number]>;
export type UserEvent = OpenEvent<(typeof userEvents)[number]>;
export type SessionEvent = OpenEvent<(typeof sessionEvents)[number]>;
export type InquiryEvent = OpenEvent<(typeof inquiryEvents)[number]>;
export type ContentEvent = OpenEvent<(typeof contentEvents)[number]>;
export type SettingsEvent = OpenEvent<(typeof settingsEvents)[number]>;
export type SystemEvent = OpenEvent<(typeof systemEvents)[number]>;
export type TemplateEvent = OpenEvent<(typeof templateEvents)[number]>;
export type MailEvent = OpenEvent<(typeof mailEvents)[number]>;
export type LogEvent = OpenEvent<(typeof logEvents)[number]>;
export type RegistryEvent = OpenEvent<(typeof eventDefinitions)[number]>;

/** Stream names. None contains a person's name, email or slug, because a stream name cannot be erased. */
export const streams = {
  log: "log",
  report: (id: string) => `report-${id}`,
  user: (id: string) => `user-${id}`,
  session: (id: string) => `session-${id}`,
  access: (id: string) => `access-${id}`,
  security: (id: string) => `security-${id}`,
  inquiry: (id: string) => `inquiry-${id}`,
  notice: (id: string) => `notice-${id}`,
  /** For an outbox email that was resent. */
  mail: (id: string) => `mail-${id}`,
  content: (id: string) => `content-${id}`,
  /** For a payment service's notification that matches nothing. */
  payment: (id: string) => `payment-${id}`,
  /** One for the whole registry. */
  settings: "settings",
  /** For an action, by the ID of its job. */
  system: (id: string) => `system-${id}`,
  template: templateStream,
};
