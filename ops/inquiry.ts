/** `npm run inquiry -- list | show <number> | document <number> <file>`: inquiries sent through the forms. */
import { open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { readArguments, refuseMore, UsageError, unknownWord } from "#runtime/lifecycle/usage.ts";
import type { CommandApi } from "#services/command-api/composition.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { runOnCommandSide } from "./with-stores.ts";

const LISTED = 50;
const WORDS = ["list", "show", "document"];
const USAGE = "Usage: npm run inquiry -- list | show NUMBER | document NUMBER FILE";

function parse([word, number, file, more]: readonly string[]) {
  if (word === undefined) throw new UsageError("Use list, show or document.");
  if (!WORDS.includes(word)) throw unknownWord("word", word, WORDS);
  if (word !== "list" && number === undefined) throw new UsageError("Which number?");
  if (word === "document" && file === undefined)
    throw new UsageError("Into which file should the document be written?");
  refuseMore(word === "list" ? number : word === "show" ? file : more);
  return { number, file };
}

const { number, file } = readArguments(USAGE, parse);
const caller = () => systemCaller(new Date().toISOString());

await runOnCommandSide(async ({ inquiries }) => {
  if (number === undefined) return list(inquiries);
  if (file !== undefined) return save(inquiries, number, file);
  const answers = await inquiries.show(number, caller());
  if (!answers) return nothing(`There is no inquiry with the number ${number}.`);
  for (const { label, text } of answers) console.log(`${label}:\n${text}\n`);
  return 0;
});

async function list(inquiries: CommandApi["inquiries"]): Promise<number> {
  const rows = await inquiries.newest(LISTED);
  for (const { at, number, title } of rows) console.log(`${at.toISOString()}  ${number}  ${title}`);
  if (rows.length === 0) console.log("There are no inquiries yet.");
  return 0;
}

/** Writes the document to a new file that only its owner can read. */
async function save(inquiries: CommandApi["inquiries"], number: string, file: string) {
  // Before access is logged, because an existing file is not overwritten.
  const handle = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => error);
  if (handle instanceof Error) return nothing(`${file} cannot be written: ${handle.code}.`);
  try {
    const document = await inquiries.openDocument(number, caller());
    if (document) {
      await pipeline(document.content, handle.createWriteStream());
      console.log(`${document.name} (${document.type}, ${document.bytes} bytes) is in ${file}.`);
      return 0;
    }
  } catch (error) {
    await rm(file);
    throw error;
  }
  await handle.close();
  await rm(file);
  return nothing(`There is no document with the number ${number}.`);
}

function nothing(sentence: string): number {
  console.error(sentence);
  return 1;
}
