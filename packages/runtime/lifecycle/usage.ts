import { parseArgs } from "node:util";

/** Exit code of a command with invalid arguments; failures end with 1. */
const WRONG_USAGE = 2;

/** Prints how to call the command and exits. Call it before opening any store. */
export function refuseUsage(sentence: string): never {
  console.error(sentence);
  process.exit(WRONG_USAGE);
}

/**
 * Reads this process's arguments. For `--help`, prints the usage to standard output and exits with code
 * 0. For invalid arguments, prints the problem and the usage, see {@link refuseUsage}.
 *
 * @param parse throws {@link UsageError} for invalid arguments.
 */
export function readArguments<T>(usage: string, parse: (args: readonly string[]) => T): T {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parse(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    refuseUsage(`${error.message}\n${usage}`);
  }
}

/** Exits if the process was given arguments. @param command name of the npm script. */
export function takesNoArguments(command: string): void {
  readArguments(`Usage: npm run ${command} (it takes no arguments)`, ([word]) => refuseMore(word));
}

/** @throws {UsageError} if there is another word. */
export function refuseMore(word: string | undefined): void {
  if (word !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(word)}.`);
}

/** Parses a command's words, options with a value, and flags. @throws {UsageError} */
export function wordsAndOptions<Name extends string, Flag extends string = never>(
  args: readonly string[],
  names: readonly Name[],
  flags: readonly Flag[] = [],
) {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: "string" }] as const),
    ...flags.map((flag) => [flag, { type: "boolean" }] as const),
  ]);
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    const values = parsed.values as Partial<Record<Name, string> & Record<Flag, boolean>>;
    return { words: parsed.positionals, values };
  } catch (error) {
    const known = [...names, ...flags].map((name) => `--${name}`).join(", ");
    throw new UsageError(`${(error as Error).message}. Known: ${known}.`);
  }
}

/** Parses the options and flags of a command that takes no words. @throws {UsageError} */
export function textOptions<Name extends string, Flag extends string = never>(
  args: readonly string[],
  names: readonly Name[],
  flags: readonly Flag[] = [],
) {
  const { words, values } = wordsAndOptions(args, names, flags);
  refuseMore(words[0]);
  return values;
}

/** Invalid arguments for a command; the message is shown to the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function unknownWord(what: string, word: string, known: readonly string[]): UsageError {
  return new UsageError(`There is no ${what} ${JSON.stringify(word)}. Known: ${known.join(", ")}.`);
}
