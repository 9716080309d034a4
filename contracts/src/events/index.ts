import { AccountDataViewed, EvidenceViewed, ListExported, PersonalDataViewed } from "./access.ts";
import {
  ContentCreated,
  ContentDeleted,
  ContentEdited,
  ContentPublished,
  ContentRestored,
  ContentShipped,
  ContentUnpublished,
} from "./content.ts";
import type { OpenEvent } from "./definition.ts";
import {
  CounterNoticeLinked,
  InquiryDocumentViewed,
  InquiryErased,
  InquiryNoteAdded,
  InquiryReceived,
  InquiryStatusChanged,
  InquiryViewed,
  NoticeCountered,
  NoticeErased,
  NoticeGranted,
  NoticeLifted,
  NoticeLinked,
  NoticeNoteAdded,
  NoticeReceived,
  NoticeRefused,
  NoticeUnlinked,
  NoticeViewed,
  ReportDisclosed,
} from "./inquiry/inquiry-events.ts";
import { LogRestored, LogStarted, SamplesCleared, SamplesLoaded } from "./log.ts";
import { MailResent } from "./mail-events.ts";
import { PaymentUnmatched } from "./payment-events.ts";
import { CheckoutOpened } from "./report/checkout.ts";
import {
  EvidenceAdded,
  EvidenceDeleted,
  EvidenceErased,
  EvidenceHidden,
  EvidencePublished,
} from "./report/evidence-events.ts";
import {
  EvidenceReleased,
  EvidenceWithheld,
  ModeratorNoteWritten,
  ReportApproved,
  ReportClaimed,
  ReportDisowned,
  ReporterErased,
  ReportPutBack,
  ReportRejected,
  ReportStatusSet,
  ReportTakenDown,
  ReportVerificationResent,
  ReportVerificationWithdrawn,
  ReportVerifiedByAccount,
  ReportVerifiedByHand,
  ReportVerifiedByLink,
  ReportVersionRestored,
} from "./report/report-decisions.ts";
import {
  ReportDeleted,
  ReportDeletionRequested,
  ReportDeletionUndone,
  ReportErased,
} from "./report/report-deletion.ts";
import { ReportEdited } from "./report/report-edited.ts";
import {
  ReporterAddressCorrected,
  ReporterNotificationsSet,
  ReportSubmitted,
} from "./report/report-submitted.ts";
import { ReportTextMasked } from "./report/report-text-masked.ts";
import {
  ReporterAnswered,
  ReporterAsked,
  ReporterQuestionWithdrawn,
} from "./report/reporter-questions.ts";
import {
  ReporterWarned,
  ReporterWarningLifted,
  SubmissionHeldBack,
} from "./report/reporter-warnings.ts";
import {
  PaymentAccepted,
  PaymentRefunded,
  ReportResolved,
  ReportUnresolved,
  ResolutionLetterAccepted,
  ResolutionLetterRefused,
  ResolutionRequested,
  ResolutionWithdrawn,
} from "./report/resolution.ts";
import {
  CallRefused,
  ContactAlarmRaised,
  ContactFound,
  ProofFailed,
  SignInFailed,
} from "./security-events.ts";
import { PasswordProved, SessionEnded, SessionStarted, SessionUsed } from "./session.ts";
import { SettingsChanged } from "./settings.ts";
import { SystemActionEnded, SystemActionStarted } from "./system.ts";
import {
  TemplateActivated,
  TemplateCreated,
  TemplateDeactivated,
  TemplateDeleted,
  TemplateEdited,
  TemplateRestored,
  TemplateTested,
  templateStream,
} from "./template.ts";
import {
  EmailChanged,
  EmailChangeRequested,
  EmailChangeUndone,
  EmailChangeWithdrawn,
  PasswordChanged,
  PasswordResetRequested,
  RecoveryCodesReplaced,
  RecoveryCodeUsed,
  TwoFactorDisabled,
  TwoFactorEnabled,
  TwoFactorReset,
} from "./user/account-credentials.ts";
import {
  AccountClosed,
  AccountDataExported,
  AccountExpired,
  AccountRegistered,
  AccountReplaced,
  EmailConfirmationRequested,
  EmailConfirmed,
  NotificationsSet,
  ProfileEdited,
  RegistrationAttempted,
} from "./user/registration-events.ts";
import {
  AccountBanned,
  AccountInvited,
  AccountReopened,
  AccountRoleChanged,
  AccountUnbanned,
} from "./user/standing-events.ts";
import {
  AccountAdded,
  AccountErased,
  DeviceConfirmationRequested,
  DeviceConfirmed,
  PasswordReset,
  SessionsEnded,
} from "./user/user-events.ts";

export const reportEvents = [
  ReportSubmitted,
  ReportEdited,
  ReportVersionRestored,
  ReportTextMasked,
  ReportVerificationResent,
  ReportVerifiedByLink,
  ReportVerifiedByAccount,
  ReportVerifiedByHand,
  ReportVerificationWithdrawn,
  ReportApproved,
  ReportRejected,
  ReportStatusSet,
  ReportTakenDown,
  ReportPutBack,
  EvidenceWithheld,
  EvidenceReleased,
  ReporterWarned,
  ReporterWarningLifted,
  SubmissionHeldBack,
  ReportClaimed,
  ReportDisowned,
  EvidenceAdded,
  EvidencePublished,
  EvidenceHidden,
  EvidenceDeleted,
  EvidenceErased,
  ResolutionRequested,
  ResolutionLetterAccepted,
  ResolutionLetterRefused,
  ResolutionWithdrawn,
  CheckoutOpened,
  PaymentAccepted,
  PaymentRefunded,
  ReportResolved,
  ReportUnresolved,
  ReporterErased,
  ReporterNotificationsSet,
  ReporterAddressCorrected,
  ReporterAsked,
  ReporterAnswered,
  ReporterQuestionWithdrawn,
  ModeratorNoteWritten,
  ReportDeletionRequested,
  ReportDeleted,
  ReportDeletionUndone,
  ReportErased,
] as const;
export const userEvents = [
  AccountAdded,
  AccountRegistered,
  AccountInvited,
  AccountReopened,
  EmailConfirmationRequested,
  EmailConfirmed,
  RegistrationAttempted,
  AccountReplaced,
  AccountExpired,
  PasswordReset,
  PasswordResetRequested,
  PasswordChanged,
  ProfileEdited,
  NotificationsSet,
  EmailChangeRequested,
  EmailChangeWithdrawn,
  EmailChanged,
  EmailChangeUndone,
  TwoFactorEnabled,
  RecoveryCodesReplaced,
  RecoveryCodeUsed,
  TwoFactorDisabled,
  TwoFactorReset,
  AccountBanned,
  AccountUnbanned,
  AccountRoleChanged,
  SessionsEnded,
  DeviceConfirmationRequested,
  DeviceConfirmed,
  AccountDataExported,
  AccountClosed,
  AccountErased,
] as const;
export const sessionEvents = [SessionStarted, SessionUsed, PasswordProved, SessionEnded] as const;
export const inquiryEvents = [
  InquiryReceived,
  InquiryViewed,
  InquiryDocumentViewed,
  InquiryStatusChanged,
  InquiryNoteAdded,
  ReportDisclosed,
  InquiryErased,
  NoticeReceived,
  NoticeViewed,
  NoticeLinked,
  NoticeUnlinked,
  NoticeRefused,
  NoticeGranted,
  NoticeCountered,
  NoticeLifted,
  CounterNoticeLinked,
  NoticeNoteAdded,
  NoticeErased,
] as const;
export const contentEvents = [
  ContentShipped,
  ContentCreated,
  ContentEdited,
  ContentRestored,
  ContentPublished,
  ContentUnpublished,
  ContentDeleted,
] as const;
export const settingsEvents = [SettingsChanged] as const;
export const systemEvents = [SystemActionStarted, SystemActionEnded] as const;
export const templateEvents = [
  TemplateCreated,
  TemplateEdited,
  TemplateRestored,
  TemplateActivated,
  TemplateDeactivated,
  TemplateTested,
  TemplateDeleted,
] as const;
export const mailEvents = [MailResent] as const;
export const paymentEvents = [PaymentUnmatched] as const;
export const logEvents = [LogStarted, LogRestored, SamplesLoaded, SamplesCleared] as const;

/** Every event that the log may hold, in its newest version. */
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
  PersonalDataViewed,
  AccountDataViewed,
  EvidenceViewed,
  ListExported,
  SignInFailed,
  CallRefused,
  ContactFound,
  ContactAlarmRaised,
  ProofFailed,
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
export type PaymentEvent = OpenEvent<(typeof paymentEvents)[number]>;
export type LogEvent = OpenEvent<(typeof logEvents)[number]>;
export type RegistryEvent = OpenEvent<(typeof eventDefinitions)[number]>;

/**
 * Names of the streams. None contains a person's name, e-mail or slug, because a stream's name
 * cannot be erased.
 */
export const streams = {
  log: "log",
  report: (id: string) => `report-${id}`,
  user: (id: string) => `user-${id}`,
  session: (id: string) => `session-${id}`,
  access: (id: string) => `access-${id}`,
  security: (id: string) => `security-${id}`,
  inquiry: (id: string) => `inquiry-${id}`,
  notice: (id: string) => `notice-${id}`,
  /** Of one mail of the outbox that was sent again. */
  mail: (id: string) => `mail-${id}`,
  content: (id: string) => `content-${id}`,
  /** Of what a payment service told and nothing fits. */
  payment: (id: string) => `payment-${id}`,
  /** Of the whole registry. */
  settings: "settings",
  /** Of an action, by the job that does it. */
  system: (id: string) => `system-${id}`,
  template: templateStream,
};
