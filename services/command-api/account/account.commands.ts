import type { OpenData } from "#contracts/events/definition.ts";
import type { PasswordResetRequested } from "#contracts/events/user/account-credentials.ts";
import type { Notifications } from "#contracts/events/user/account-state.ts";
import type { AccountAdded, AccountRegistered } from "#contracts/events/user/user-events.ts";
import type { EditProfile } from "#contracts/http/account.ts";
import type { FactorAge } from "./email-change.decider.ts";
import type { StandingCommand } from "./standing.decider.ts";

/** The session in which an owner acts. */
export interface OwnSession {
  readonly id: string;
  /** Of the account, against which its credentials were checked. */
  readonly accountRevision: number;
}

/** Blind index of the address that the account has afterwards; see `accountAggregate`. */
type Blind = { readonly email: string };

/** Commands about the second factor; the ids name what is in the command side's tables. */
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
      /** Of the account, against which the password was checked. */
      readonly accountRevision: number;
    }
  | {
      readonly type: "ResetTwoFactor";
      readonly by: "admin" | "self" | "operator";
      /** Accounts of the admins who are mailed of it. */
      readonly told: readonly string[];
      readonly reason?: string;
    };

/** Commands that change what stands in `command.account` too; see `Credentials`. */
export type CredentialCommand =
  | StandingCommand
  | { readonly type: "AddAccount"; readonly account: OpenData<typeof AccountAdded> }
  | {
      readonly type: "RegisterAccount";
      readonly account: NonNullable<OpenData<typeof AccountRegistered>["account"]>;
      readonly termsVersion: string;
    }
  | {
      readonly type: "ConfirmEmail";
      readonly linkId: string;
      /** The account's own session, or its password as of a revision, came with the link. */
      readonly own?: OwnSession;
      /** Without either, everything that was set before is dropped. */
      readonly startsOver?: true;
      /** The link is of an account that this one replaced: its address, null without its key. */
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
      /** Of the account, against which its credentials were checked. */
      readonly accountRevision: number;
    }
  | {
      /** A restored log may be older than the closing, or than what took it back. */
      readonly type: "RestoreClosing";
      /** When the account is erased, RFC 3339; null where it was taken back. */
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
      /** A session, or the address that the opened link was mailed to. */
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
      /** Whether only an account that is closed, and whose time has come, is erased. */
      readonly isDue?: true;
    };
