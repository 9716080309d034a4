/** Raised for arguments of a command that make no sense; the message is for the one who typed them. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The error about a word that is not one of those that are known there. */
export function unknownWord(what: string, word: string, known: readonly string[]): UsageError {
  return new UsageError(`There is no ${what} ${JSON.stringify(word)}. Known: ${known.join(", ")}.`);
}
