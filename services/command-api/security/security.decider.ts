import type { RegistryEvent } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import type { SecurityCommand } from "./security.commands.ts";

/** Decides what the log records of a refused attempt. */
export function decideSecurity(_: true | undefined, command: SecurityCommand): RegistryEvent[] {
  switch (command.type) {
    case "SignIn": {
      const { email, accountId: account_id, refused } = command;
      const cause = account_id || refused === "link_required" ? refused : "unknown_account";
      const security = { email, ...given({ account_id }) };
      return [{ type: "SignInFailed", data: { cause, security } }];
    }
    case "ProvePassword": {
      const security = { account_id: command.accountId };
      return [{ type: "ProofFailed", data: { cause: "wrong_password", security } }];
    }
    case "RefuseCall": {
      const { role, method, route, code, count } = command;
      // A visitor's attempts are no sign of a stolen account, and would only fill the log.
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
