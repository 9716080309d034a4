/** `npm run account:add -- --role user|admin|auditor [--email ...] [--first-name ...] [--last-name ...]` */
import { Value } from "typebox/value";
import { Role } from "#contracts/http/auth.ts";
import { Email } from "#contracts/report/fields.ts";
import { UsageError, unknownWord } from "#kit/lifecycle/usage-error.ts";
import { systemCaller } from "#services/command-api/log/log.service.ts";
import { makePassword } from "../first-admin.ts";
import { readArguments, refuseUsage, textOptions } from "./usage.ts";
import { runOnCommandSide } from "./with-command-side.ts";

const USAGE =
  "Usage: npm run account:add -- --role user|admin|auditor [--email ADDRESS] [--password PASSWORD] [--first-name NAME] [--last-name NAME]";

function parse(args: readonly string[]) {
  const values = textOptions(args, ["role", "email", "password", "first-name", "last-name"]);
  const { role } = values;
  if (role === undefined) throw new UsageError("--role is missing.");
  if (!Value.Check(Role, role)) throw unknownWord("role", role, ["user", "admin", "auditor"]);
  const email = values.email ?? `${role}-${Date.now().toString(36)}@registry.local`;
  if (!Value.Check(Email, email)) throw new UsageError("--email is no e-mail address.");
  return { ...values, role, email };
}

const given = readArguments(USAGE, parse);
const { role, email } = given;
const password = given.password ?? makePassword();
if (password.length < 8) refuseUsage(`Password must be at least 8 characters\n${USAGE}`);

await runOnCommandSide(async (api) => {
  const label = { user: "User", admin: "Admin", auditor: "Auditor" }[role];
  const account = {
    email,
    password,
    role,
    firstName: given["first-name"] ?? label,
    lastName: given["last-name"] ?? "Account",
  };
  const added = await api.accounts.add(account, systemCaller(new Date().toISOString()));
  if (!added) {
    console.error(`An account with the address ${email} is there already.`);
    return 1;
  }
  console.log(`${label} e-mail: ${email}`);
  console.log(`${label} password: ${password}`);
  return 0;
});
