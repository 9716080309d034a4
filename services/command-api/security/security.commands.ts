import type { ActorRole } from "#event-store/port.ts";

/** Refused attempts that the log records. */
export type SecurityCommand =
  | {
      readonly type: "SignIn";
      readonly email: string;
      /** Absent when no account has the address. */
      readonly accountId?: string | undefined;
      readonly refused:
        | "wrong_password"
        | "inactive_account"
        | "link_required"
        | "wrong_code"
        | "code_reused";
    }
  | {
      readonly type: "RefuseCall";
      readonly role: ActorRole;
      readonly method: string;
      /** The route's pattern, never the URL that was called. */
      readonly route: string;
      readonly code: string;
      readonly count: number;
    }
  | {
      /** Searches by email or phone that found a report. */
      readonly type: "FindContact";
      readonly method: string;
      readonly route: string;
      readonly count: number;
    }
  | {
      /** All accounts together have found unusually many contacts today. */
      readonly type: "RaiseContactAlarm";
      readonly found: number;
      readonly accounts: number;
      /** The active admins. */
      readonly told: readonly string[];
    }
  | {
      /** A signed-in account was asked for its password again. */
      readonly type: "ProvePassword";
      readonly accountId: string;
    };
