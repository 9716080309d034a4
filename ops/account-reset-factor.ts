/** `npm run account:reset-factor -- <email>`: turns an account's second factor off. */
import { Value } from "typebox/value";
import { DomainError } from "#contracts/domain-error.ts";
import { Email } from "#contracts/report/fields.ts";
import { readArguments, refuseMore, UsageError } from "#runtime/lifecycle/usage.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { runOnCommandSide } from "./with-stores.ts";

function parse([email, more]: readonly string[]) {
  if (email === undefined) throw new UsageError("Which account's second factor should be reset?");
  if (!Value.Check(Email, email)) throw new UsageError("Give the account's email address.");
  refuseMore(more);
  return { email };
}

const { email } = readArguments("Usage: npm run account:reset-factor -- EMAIL", parse);

await runOnCommandSide(async (api) => {
  const id = await api.accounts.idOf(email);
  if (!id) throw new DomainError("account_not_found", "Account not found");
  const wasOn = await api.factorResets.byOperator(id, systemCaller(new Date().toISOString()));
  console.log(
    wasOn
      ? `Turned off two-factor authentication for ${email} and ended all of its sessions. We'll email its owner and all admins.`
      : `Two-factor authentication was already off for ${email}.`,
  );
  return 0;
});
