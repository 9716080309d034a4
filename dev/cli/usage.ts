/** Exit code of a command that was called in a way that makes no sense. What fails ends with 1. */
const WRONG_USAGE = 2;

/** Says how the command is to be called, and ends the process. */
export function refuseUsage(sentence: string): never {
  console.error(sentence);
  process.exit(WRONG_USAGE);
}

/** Ends the process when it was given arguments. @param command as npm knows it. */
export function takesNoArguments(command: string): void {
  if (process.argv.length > 2) refuseUsage(`Usage: npm run ${command} (it takes no arguments)`);
}
