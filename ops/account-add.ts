/** `npm run account:add -- --role user|admin|auditor [--email ...] [--password-stdin] [...]` */
import { Value } from "typebox/value";
import { Role } from "#contracts/http/account.ts";
import { Email } from "#contracts/report/fields.ts";
import { makePassword } from "#launcher/first-admin.ts";
import {
  readArguments,
  refuseUsage,
  textOptions,
  UsageError,
  unknownWord,
} from "#runtime/lifecycle/usage.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { readPassword } from "./read-password.ts";
import { runOnCommandSide } from "./with-stores.ts";

const USAGE =
  "Usage: npm run account:add -- --role user|admin|auditor [--email ADDRESS] [--password-stdin] [--first-name NAME] [--last-name NAME]";

function parse(args: readonly string[]) {
  // Checked first, because the message about other options would repeat a possible password.
  if (args.some((word) => /^--password(=|$)/.test(word)))
    throw new UsageError(
      "Anyone on this machine can read a password in the arguments: give it with --password-stdin.",
    );
  const names = ["role", "email", "first-name", "last-name"] as const;
  const values = textOptions(args, names, ["password-stdin"]);
  const { role } = values;
  if (role === undefined) throw new UsageError("--role is missing.");
  if (!Value.Check(Role, role)) throw unknownWord("role", role, ["user", "admin", "auditor"]);
  const email = values.email ?? `${role}-${Date.now().toString(36)}@registry.local`;
  if (!Value.Check(Email, email)) throw new UsageError("--email is not an email address.");
  return { ...values, role, email };
}

/** @returns undefined if none is given, so that one is generated. */
async function givenPassword(): Promise<string | undefined> {
  if (!given["password-stdin"]) return undefined;
  try {
    return await readPassword(process.stdin, process.stderr);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    refuseUsage(`${error.message}\n${USAGE}`);
  }
}

const given = readArguments(USAGE, parse);
const { role, email } = given;
const chosen = await givenPassword();
const password = chosen ?? makePassword();

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
    console.error(`An account with the address ${email} already exists.`);
    return 1;
  }
  console.log(`${label} email: ${email}`);
  console.log(`${label} password: ${chosen ? "the one you entered" : password}`);
  return 0;
});
