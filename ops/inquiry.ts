/** `npm run inquiry -- list | show <number>`: what was sent by the forms for the staff. */
import { readArguments } from "#runtime/lifecycle/usage.ts";
import { UsageError, unknownWord } from "#runtime/lifecycle/usage-error.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { runOnCommandSide } from "./with-command-side.ts";

const LISTED = 50;

function parse([word, number, more]: readonly string[]) {
  if (word === undefined) throw new UsageError("Should they be listed, or one be shown?");
  if (word !== "list" && word !== "show") throw unknownWord("word", word, ["list", "show"]);
  if (word === "show" && number === undefined) throw new UsageError("Which number?");
  const unknown = word === "list" ? number : more;
  if (unknown !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(unknown)}.`);
  return { number };
}

const { number } = readArguments("Usage: npm run inquiry -- list | show NUMBER", parse);

await runOnCommandSide(async ({ inquiries }) => {
  if (number === undefined) {
    const rows = await inquiries.newest(LISTED);
    for (const { at, number, title } of rows)
      console.log(`${at.toISOString()}  ${number}  ${title}`);
    if (rows.length === 0) console.log("Nothing was sent yet.");
    return 0;
  }
  const answers = await inquiries.show(number, systemCaller(new Date().toISOString()));
  if (!answers) {
    console.error(`There is nothing with the number ${number}.`);
    return 1;
  }
  for (const { label, text } of answers) console.log(`${label}:\n${text}\n`);
  return 0;
});
