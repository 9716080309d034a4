import { PersonalDataViewed } from "./access/personal-data-viewed.ts";
import type { OpenEvent } from "./definition.ts";
import { LogRestored, LogStarted, SamplesCleared, SamplesLoaded } from "./log/log-events.ts";
import { ReportEdited } from "./report/report-edited.ts";
import {
  ReportApproved,
  ReportDeleted,
  ReportRejected,
  ReportStatusSet,
} from "./report/report-status.ts";
import { ReportSubmitted } from "./report/report-submitted.ts";
import {
  ReportVerificationResent,
  ReportVerificationWithdrawn,
  ReportVerifiedByHand,
  ReportVerifiedByLink,
} from "./report/report-verification.ts";
import { CallRefused, SignInFailed } from "./security/security-events.ts";
import {
  AccountAdded,
  PasswordReset,
  RefreshTokenReused,
  SignedIn,
  SignedOut,
} from "./user/user-events.ts";

export const reportEvents = [
  ReportSubmitted,
  ReportEdited,
  ReportVerificationResent,
  ReportVerifiedByLink,
  ReportVerifiedByHand,
  ReportVerificationWithdrawn,
  ReportApproved,
  ReportRejected,
  ReportStatusSet,
  ReportDeleted,
] as const;
export const userEvents = [
  AccountAdded,
  PasswordReset,
  SignedIn,
  SignedOut,
  RefreshTokenReused,
] as const;
export const logEvents = [LogStarted, LogRestored, SamplesLoaded, SamplesCleared] as const;

/** Every event that the log may hold, in its newest version. */
export const eventDefinitions = [
  ...reportEvents,
  ...userEvents,
  ...logEvents,
  PersonalDataViewed,
  SignInFailed,
  CallRefused,
] as const;

export type ReportEvent = OpenEvent<(typeof reportEvents)[number]>;
export type UserEvent = OpenEvent<(typeof userEvents)[number]>;
export type LogEvent = OpenEvent<(typeof logEvents)[number]>;
export type RegistryEvent = OpenEvent<(typeof eventDefinitions)[number]>;

/** Names of the streams. No name, e-mail or slug stands in one: it could not be erased. */
export const streams = {
  log: "log",
  report: (id: string) => `report-${id}`,
  user: (id: string) => `user-${id}`,
  access: (id: string) => `access-${id}`,
  security: (id: string) => `security-${id}`,
};
