import type { RegistryEvent } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import type { SecurityCommand } from "./security.commands.ts";

/** What the log notes of a refused attempt. */
export function decideSecurity(_: true | undefined, command: SecurityCommand): RegistryEvent[] {
  switch (command.type) {
    case "SignIn": {
      const { email, accountId: account_id, refused } = command;
      const cause = account_id || refused === "link_required" ? refused : "unknown_account";
      const security = { email, ...given({ account_id }) };
      return [{ type: "SignInFailed", data: { cause, security } }];
    }
    case "RefuseCall": {
      const { role, method, route, code } = command;
      // What a visitor tries is no sign of a stolen account; it would only fill the log.
      return role === "visitor" ? [] : [{ type: "CallRefused", data: { method, route, code } }];
    }
  }
}
