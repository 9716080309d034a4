/** Exit code of a command that was called in a way that makes no sense. What fails ends with 1. */
export const WRONG_USAGE = 2;

/**
 * Says on the standard error stream how the command is to be called, and ends the process. Before
 * any store is opened, so that a wrong call is told of wherever it is made.
 */
export function refuseUsage(sentence: string): never {
  console.error(sentence);
  process.exit(WRONG_USAGE);
}

/**
 * Reads the arguments of this process. `--help` is answered with the usage on the standard output
 * and exit code 0; for arguments that make no sense see {@link refuseUsage}.
 *
 * @param parse resolves arguments that make no sense to undefined.
 */
export function readArguments<T>(
  usage: string,
  parse: (args: readonly string[]) => T | undefined,
): T {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  return parse(args) ?? refuseUsage(usage);
}

/** Ends the process when it was given arguments. @param command as npm knows it. */
export function takesNoArguments(command: string): void {
  readArguments(
    `Usage: npm run ${command} (it takes no arguments)`,
    (args) => args.length === 0 || undefined,
  );
}
