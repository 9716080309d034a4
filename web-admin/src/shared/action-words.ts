import { CONTENT_COMMANDS } from "#contracts/http/admin-content.ts";
import { TEMPLATE_COMMANDS } from "#contracts/http/admin-templates.ts";
import { MODERATION } from "#contracts/http/moderation.ts";
import { RESOLUTION_COMMANDS } from "#contracts/http/resolution.ts";
import { USER_COMMANDS } from "#contracts/http/users.ts";
import { CHANGE_SETTINGS } from "#contracts/settings/settings-route.ts";
import { SYSTEM_COMMANDS } from "#contracts/system/actions.ts";
import { sentenceCase } from "./labels.ts";

/** Words for the commands, by their names in the log. */
export const ACTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(MODERATION).map(({ type, title }) => [type, title])),
  ...Object.fromEntries(Object.values(RESOLUTION_COMMANDS).map(({ type, title }) => [type, title])),
  RequestResolution: "Ask for the RESOLVED banner",
  WithdrawResolution: "Take a request for the RESOLVED banner back",
  ...Object.fromEntries(Object.values(CONTENT_COMMANDS).map(({ type, title }) => [type, title])),
  ...Object.fromEntries(Object.values(TEMPLATE_COMMANDS).map(({ type, title }) => [type, title])),
  ...Object.fromEntries(Object.values(USER_COMMANDS).map(({ type, title }) => [type, title])),
  [CHANGE_SETTINGS.type]: CHANGE_SETTINGS.title,
  ...SYSTEM_COMMANDS,
  EndBan: "End a ban whose time is over",
  RevealAccount: "Open an account's data",
  SubmitReport: "Submit report",
  ResendVerification: "Ask for the verification mail again",
  CorrectReporterAddress: "Correct a reporter's address before it is confirmed",
  AnswerQuestion: "Answer a moderator's question",
  VerifyReport: "Verify email by link",
  ClaimReport: "Add a report to one's own account",
  DisownReport: "Take a report from an account",
  ExpireReport: "Delete a report whose time is over",
  EraseReporter: "Erase reporter",
  RevealReport: "Open kept-back data",
  ViewEvidence: "Open a file of a report",
  PublishEvidence: "Publish evidence",
  HideEvidence: "Hide evidence",
  DeleteEvidence: "Delete a document",
  OpenOwnReport: "Open one's own report",
  SignIn: "Sign in",
  SignOut: "Sign out",
  SignOutEverywhere: "Sign out of everything",
  EndSession: "End a session",
  ExpireSession: "End an expired session",
  RefreshSession: "Continue a session",
  RequestDeviceConfirmation: "Ask to confirm a device",
  ConfirmDevice: "Confirm a device by link",
  RefuseCall: "Call refused",
  AddAccount: "Add account",
  EraseAccount: "Erase account",
  ResetPassword: "Reset password",
  RegisterAccount: "Register",
  ReplaceAccount: "Register an unconfirmed address again",
  NoteRegistration: "Try to register a confirmed address",
  RequestEmailConfirmation: "Ask for another confirmation mail",
  ConfirmEmail: "Confirm an account's address",
  RequestPasswordReset: "Ask for a link to set a password",
  SetPassword: "Set a password by link",
  ChangePassword: "Change password",
  EditProfile: "Edit profile",
  SetReporterNotifications: "Set a reporter's notifications",
  SetNotifications: "Set notifications",
  RequestEmailChange: "Ask for another address",
  WithdrawEmailChange: "Withdraw the request for another address",
  ConfirmEmailChange: "Confirm another address by link",
  UndoEmailChange: "Undo a change of address by link",
  ExportAccountData: "Export one's own data",
  ResetTwoFactor: "Reset somebody's second factor",
  RequestTwoFactorReset: "Ask to reset an admin's second factor",
  ConfirmTwoFactorReset: "Confirm the reset of an admin's second factor",
  ObjectToTwoFactorReset: "Object to the reset of an admin's second factor",
  CompleteTwoFactorReset: "Reset an admin's second factor after a day",
  CloseAccount: "Delete one's own account",
  ExpireAccount: "End an account that nobody confirmed",
  ProvePassword: "Prove the password again",
  SendInquiry: "Send a form to the staff",
  ViewInquiry: "Read an inquiry or a notice",
  ViewInquiryDocument: "Open the document of an inquiry",
  EraseInquiry: "Erase an inquiry or a notice",
  StartLog: "Start the log",
  RestoreLog: "Restore the log",
  LoadSamples: "Load samples",
  ClearSamples: "Clear samples",
};

/** The action in words. A command that is not listed is spelled out. */
export function actionText(action: string): string {
  return (Object.hasOwn(ACTIONS, action) && ACTIONS[action]) || sentenceCase(action);
}
