/** Invalid arguments of a command; the message is for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function unknownWord(what: string, word: string, known: readonly string[]): UsageError {
  return new UsageError(`There is no ${what} ${JSON.stringify(word)}. Known: ${known.join(", ")}.`);
}
