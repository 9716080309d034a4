import type { RegistryEvent } from "#contracts/events/index.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { ActorRole } from "#event-store/port.ts";

/** Refused attempts and other observed calls that the log records. */
export type SecurityCommand =
  | {
      readonly type: "SignIn";
      readonly email: string;
      /** Absent if no account has the address. */
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
      /** The route's pattern, never the actual URL. */
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
      /** IDs of the active admins. */
      readonly told: readonly string[];
    }
  | {
      /** A signed-in account was asked for its password again. */
      readonly type: "ProvePassword";
      readonly accountId: string;
    };

/** Decides what to log about a refused attempt or an observed call. */
export function decideSecurity(_: true | undefined, command: SecurityCommand): RegistryEvent[] {
  switch (command.type) {
    case "SignIn": {
      const { email, accountId: account_id, refused } = command;
      const cause = account_id || refused === "link_required" ? refused : "unknown_account";
      const security = { email, ...omitUndefined({ account_id }) };
      return [{ type: "SignInFailed", data: { cause, security } }];
    }
    case "ProvePassword": {
      const security = { account_id: command.accountId };
      return [{ type: "ProofFailed", data: { cause: "wrong_password", security } }];
    }
    case "RefuseCall": {
      const { role, method, route, code, count } = command;
      // A visitor's attempts do not indicate a stolen account, and would only fill the log.
      return role === "visitor"
        ? []
        : [{ type: "CallRefused", data: { method, route, code, count } }];
    }
    case "FindContact": {
      const { method, route, count } = command;
      return [{ type: "ContactFound", data: { method, route, count } }];
    }
    case "RaiseContactAlarm": {
      const { found, accounts, told } = command;
      const data = { found, accounts, ...(told.length > 0 ? { told: [...told] } : {}) };
      return [{ type: "ContactAlarmRaised", data }];
    }
  }
}
