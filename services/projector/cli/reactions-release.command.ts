import { UsageError, unknownWord } from "#runtime/lifecycle/usage.ts";
import { releaseReactions } from "../reactions/outbox/release.ts";
import { type OperatorCommand, type OperatorContext, withProjectorStores } from "./operator.ts";

/** What to do with unsent mails from before the restore. */
type Unsent = "send" | "drop";

/** `npm run reactions:release -- --send|--drop` */
export const reactionsReleaseCommand: OperatorCommand<Unsent> = {
  usage:
    "Usage: npm run reactions:release -- --send | --drop\n" +
    "Mails from before the restore that were not yet sent: --send sends them, --drop discards them.",
  parse(args) {
    const known = ["--send", "--drop"];
    const unknown = args.find((word) => !known.includes(word));
    if (unknown !== undefined) throw unknownWord("choice", unknown, known);
    if (args.length !== 1) throw new UsageError("Choose one: --send or --drop.");
    return args[0] === "--send" ? "send" : "drop";
  },
  run: runReactionsRelease,
};

async function runReactionsRelease(unsent: Unsent, context: OperatorContext): Promise<number> {
  const { print } = context;
  return withProjectorStores(context, async (stores) => {
    const report = await releaseReactions(stores, unsent);
    const fate = unsent === "send" ? "are sent now" : "were dropped";
    print(`Mails are written again, for events after ${report.position}.`);
    print(`${report.unsent} unsent mails from before the restore ${fate}.`);
    return 0;
  });
}
