import { parseArgs } from "node:util";
import { UsageError } from "#runtime/lifecycle/usage-error.ts";

/** Exit code of a command with invalid arguments; failures end with 1. */
export const WRONG_USAGE = 2;

/**
 * Says on the standard error stream how the command is to be called, and ends the process. Before
 * any store is opened, so that a wrong call is reported wherever it is made.
 */
export function refuseUsage(sentence: string): never {
  console.error(sentence);
  process.exit(WRONG_USAGE);
}

/**
 * Reads the arguments of this process. `--help` is answered with the usage on the standard output
 * and exit code 0; arguments that make no sense with what is wrong and the usage, see
 * {@link refuseUsage}.
 *
 * @param parse throws {@link UsageError} for arguments that make no sense.
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

/** Ends the process when it was given arguments. @param command as npm knows it. */
export function takesNoArguments(command: string): void {
  readArguments(`Usage: npm run ${command} (it takes no arguments)`, ([word]) => {
    if (word !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(word)}.`);
  });
}

/**
 * Options by name: those that each take a text, and flags, which take none.
 * @throws {UsageError} for another option, one without its text, and words that belong to none.
 */
export function textOptions<Name extends string, Flag extends string = never>(
  args: readonly string[],
  names: readonly Name[],
  flags: readonly Flag[] = [],
): Partial<Record<Name, string> & Record<Flag, boolean>> {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: "string" }] as const),
    ...flags.map((flag) => [flag, { type: "boolean" }] as const),
  ]);
  try {
    const { values } = parseArgs({ args: [...args], options });
    return values as Partial<Record<Name, string> & Record<Flag, boolean>>;
  } catch (error) {
    const known = [...names, ...flags].map((name) => `--${name}`).join(", ");
    throw new UsageError(`${(error as Error).message}. Known: ${known}.`);
  }
}
