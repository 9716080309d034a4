import { releaseReactions } from "../reactions/outbox/release.ts";
import { type OperatorContext, withProjectorStores } from "./operator.ts";

const USAGE =
  "Usage: npm run reactions:release -- --send | --drop\n" +
  "Mails of before the restore that were not sent yet: --send lets them go out, --drop does not.";

/**
 * `npm run reactions:release -- --send|--drop`
 * @returns the exit code: 0, or 2 for arguments that make no sense.
 */
export async function runReactionsRelease(
  args: readonly string[],
  context: OperatorContext,
): Promise<number> {
  const { print } = context;
  const [choice] = args;
  if (args.length !== 1 || (choice !== "--send" && choice !== "--drop")) {
    print(USAGE);
    return 2;
  }
  return withProjectorStores(context, async (stores) => {
    const unsent = choice === "--send" ? "send" : "drop";
    const report = await releaseReactions(stores, unsent);
    const fate = unsent === "send" ? "go out now" : "were dropped";
    print(`Mails are written again for events after ${report.position}.`);
    print(`${report.unsent} unsent mails of before ${fate}.`);
    return 0;
  });
}
