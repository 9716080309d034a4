import type { OpenData } from "#contracts/events/definition.ts";
import type { AccountAdded } from "#contracts/events/user/user-events.ts";

/** Commands that change credentials; see `CredentialChanges`. */
export type CredentialCommand =
  | { readonly type: "AddAccount"; readonly account: OpenData<typeof AccountAdded> }
  | { readonly type: "ResetPassword" }
  | { readonly type: "SignOutEverywhere" };

/** The commands about an account. */
export type AccountCommand =
  | CredentialCommand
  | { readonly type: "RequestDeviceConfirmation" }
  | { readonly type: "ConfirmDevice"; readonly linkId: string }
  | { readonly type: "EraseAccount" };
