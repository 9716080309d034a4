/** `npm run erase -- report <id> | reporter <report id> | account <id or email> | inquiry <number>` */
import { Value } from "typebox/value";
import { DomainError } from "#contracts/domain-error.ts";
import { Email, ReportId } from "#contracts/report/fields.ts";
import { readArguments, refuseMore, UsageError, unknownWord } from "#runtime/lifecycle/usage.ts";
import { newEnvelope, systemCaller } from "#services/command-api/kernel/envelope.ts";
import { runOnCommandSide } from "./with-stores.ts";

function parse([kind, target, more]: readonly string[]) {
  if (kind === undefined) throw new UsageError("What should be erased?");
  if (kind !== "report" && kind !== "reporter" && kind !== "account" && kind !== "inquiry")
    throw unknownWord("kind", kind, ["report", "reporter", "account", "inquiry"]);
  if (target === undefined) throw new UsageError(`Which ${kind}?`);
  refuseMore(more);
  if (kind === "inquiry") return { kind, target, isId: false };
  const isId = Value.Check(ReportId, target);
  if ((kind === "report" || kind === "reporter") && !isId)
    throw new UsageError("Give the report's ID.");
  if (!isId && !Value.Check(Email, target))
    throw new UsageError("Give the account's ID or email address.");
  return { kind, target, isId };
}

const { kind, target, isId } = readArguments(
  "Usage: npm run erase -- report REPORT_ID | reporter REPORT_ID | account ID_OR_EMAIL | inquiry NUMBER",
  parse,
);

await runOnCommandSide(async (api) => {
  const caller = systemCaller(new Date().toISOString());
  if (kind === "report") {
    const command = { type: "EraseReport", reasonCode: "other" } as const;
    await api.reports.execute(target, command, newEnvelope(caller));
    console.log(`The report ${target} is erased.`);
    return 0;
  }
  if (kind === "reporter") {
    await api.reports.execute(target, { type: "EraseReporter" }, newEnvelope(caller));
    console.log(`The reporter of ${target} is erased. The report is kept.`);
    return 0;
  }
  if (kind === "inquiry") {
    const isErased = await api.inquiries.eraseByNumber(target, caller);
    console.log(
      isErased ? `${target} is erased.` : `There is no inquiry with the number ${target}.`,
    );
    return isErased ? 0 : 1;
  }
  const id = isId ? target : await api.accounts.idOf(target);
  if (!id) throw new DomainError("account_not_found", "Account not found");
  const reports = await api.accountEraser.erase(id, caller);
  console.log(`The account ${id} is erased and can no longer sign in.`);
  console.log(`Reports that it submitted: ${reports}. They are kept without a reporter.`);
  return 0;
});
