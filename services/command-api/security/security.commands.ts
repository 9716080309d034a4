import type { ActorRole } from "#event-store/port.ts";

/** Attempts that were refused, as the log notes them. */
export type SecurityCommand =
  | {
      readonly type: "SignIn";
      readonly email: string;
      /** Absent where no account has the address. */
      readonly accountId?: string | undefined;
      readonly refused: "wrong_password" | "inactive_account" | "link_required";
    }
  | {
      readonly type: "RefuseCall";
      readonly role: ActorRole;
      readonly method: string;
      /** The route's pattern, never the address that was called. */
      readonly route: string;
      readonly code: string;
    };
