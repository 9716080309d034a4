/** `npm run account:add -- --role user|admin|auditor [--email ...] [--first-name ...] [--last-name ...]` */
import { parseArgs } from "node:util";
import { Value } from "typebox/value";
import { Role } from "#contracts/http/auth.ts";
import { Email } from "#contracts/report/fields.ts";
import { systemCaller } from "#services/command-api/log/log.service.ts";
import { makePassword } from "../first-admin.ts";
import { readArguments, refuseUsage } from "./usage.ts";
import { runOnCommandSide } from "./with-command-side.ts";

const USAGE =
  "Usage: npm run account:add -- --role user|admin|auditor [--email ADDRESS] [--password PASSWORD] [--first-name NAME] [--last-name NAME]";

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        role: { type: "string" },
        email: { type: "string" },
        password: { type: "string" },
        "first-name": { type: "string" },
        "last-name": { type: "string" },
      },
    });
    const { role } = values;
    if (!Value.Check(Role, role)) return undefined;
    const email = values.email ?? `${role}-${Date.now().toString(36)}@registry.local`;
    if (!Value.Check(Email, email)) return undefined;
    return { ...values, role, email };
  } catch {
    return undefined;
  }
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
