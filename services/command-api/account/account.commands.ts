import type { OpenData } from "#contracts/events/definition.ts";
import type { PasswordResetRequested } from "#contracts/events/user/account-credentials.ts";
import type { Notifications } from "#contracts/events/user/account-state.ts";
import type { AccountAdded, AccountRegistered } from "#contracts/events/user/user-events.ts";
import type { EditProfile } from "#contracts/http/account.ts";
import type { AccountModerationCommand } from "./account-moderation.decider.ts";
import type { FactorAge } from "./email-change.decider.ts";

/** The session in which an owner acts. */
export interface OwnSession {
  readonly id: string;
  /** Revision of the account at which its credentials were checked. */
  readonly accountRevision: number;
}

/** Blind index of the account's new address; see `accountAggregate`. */
type Blind = { readonly email: string };

/** Commands about the second factor. The IDs refer to rows of the command side's tables. */
export type TwoFactorCommand =
  | {
      readonly type: "EnableTwoFactor";
      readonly own: OwnSession;
      readonly factorId: string;
      readonly codesId: string;
    }
  | { readonly type: "DisableTwoFactor"; readonly own: OwnSession }
  | { readonly type: "ReplaceRecoveryCodes"; readonly own: OwnSession; readonly codesId: string }
  | {
      readonly type: "UseRecoveryCode";
      readonly codesId: string;
      /** Its number in the set. */
      readonly code: number;
      /** Revision of the account at which the password was checked. */
      readonly accountRevision: number;
    }
  | {
      readonly type: "ResetTwoFactor";
      readonly by: "admin" | "self" | "operator";
      /** Account IDs of the admins to notify. */
      readonly told: readonly string[];
      readonly reason?: string;
    };

/** Commands that also change `command.account`; see `Credentials`. */
export type CredentialCommand =
  | AccountModerationCommand
  | { readonly type: "AddAccount"; readonly account: OpenData<typeof AccountAdded> }
  | {
      readonly type: "RegisterAccount";
      readonly account: NonNullable<OpenData<typeof AccountRegistered>["account"]>;
      readonly termsVersion: string;
    }
  | {
      readonly type: "ConfirmEmail";
      readonly linkId: string;
      /** Set if the link was opened in the account's own session, or with its password as of a revision. */
      readonly own?: OwnSession;
      /** Without either, everything that was set before is dropped. */
      readonly startsOver?: true;
      /** Set if the link belongs to an account that this one replaced: its address, or null if its key is gone. */
      readonly ofReplaced?: { readonly email: string | null };
      readonly blind?: Blind;
    }
  | { readonly type: "SetPassword"; readonly linkId: string; readonly blind?: Blind }
  | { readonly type: "ChangePassword"; readonly own: OwnSession }
  | {
      readonly type: "ConfirmEmailChange";
      readonly own: OwnSession;
      readonly linkId: string;
      readonly blind?: Blind;
    }
  | {
      readonly type: "UndoEmailChange";
      readonly linkId: string;
      readonly factor?: FactorAge | undefined;
      readonly blind?: Blind;
    }
  | { readonly type: "EditProfile"; readonly own: OwnSession; readonly edit: EditProfile }
  | Extract<TwoFactorCommand, { type: "EnableTwoFactor" | "DisableTwoFactor" | "ResetTwoFactor" }>
  | { readonly type: "CloseAccount"; readonly own: OwnSession }
  | {
      readonly type: "TakeBackAccount";
      /** Revision of the account at which its credentials were checked. */
      readonly accountRevision: number;
    }
  | {
      /** A restored log may predate the closing, or its cancellation. */
      readonly type: "RestoreClosing";
      /** When the account is erased, RFC 3339; null if the deletion was canceled. */
      readonly eraseAt: string | null;
      readonly by: "owner" | "admin";
    }
  | { readonly type: "ResetPassword" }
  | { readonly type: "SignOutEverywhere" };

/** The commands about an account. */
export type AccountCommand =
  | CredentialCommand
  | TwoFactorCommand
  | { readonly type: "ReplaceAccount"; readonly by: string }
  | { readonly type: "NoteRegistration" }
  | { readonly type: "ExportAccountData"; readonly own: OwnSession }
  | { readonly type: "RequestEmailConfirmation"; readonly own: OwnSession }
  | {
      readonly type: "RequestPasswordReset";
      readonly device: OpenData<typeof PasswordResetRequested>["device"];
    }
  | {
      readonly type: "SetNotifications";
      /** Either a session, or the address that the unsubscribe link was sent to. */
      readonly own?: OwnSession;
      readonly email?: string;
      readonly set: Partial<Notifications>;
    }
  | { readonly type: "RequestEmailChange"; readonly own: OwnSession; readonly email: string }
  | { readonly type: "WithdrawEmailChange"; readonly own: OwnSession }
  | { readonly type: "RequestDeviceConfirmation" }
  | { readonly type: "ConfirmDevice"; readonly linkId: string }
  | { readonly type: "ExpireAccount" }
  | {
      readonly type: "EraseAccount";
      /** Erases the account only if it is closed and its erasure is due. */
      readonly isDue?: true;
    };
