import { createInterface } from "node:readline/promises";
import type { ReadStream } from "node:tty";
import { UsageError } from "#runtime/lifecycle/usage-error.ts";

/** As much of a terminal or a pipe as a password is read from. */
export type PasswordInput = NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;

/**
 * Reads a password: the first line of a pipe or a file, or what is typed at a terminal, twice and
 * without being shown. Never an argument, which everybody on the machine can read.
 *
 * @param output where a terminal is asked.
 * @throws {UsageError} there is none, or the two differ.
 */
export async function readPassword(
  input: PasswordInput,
  output: { write(text: string): unknown },
): Promise<string> {
  // As a terminal, the interface takes the echo from the system; without an output it has none.
  const lines = createInterface({ input, terminal: input.isTTY === true });
  const next = async (prompt: string): Promise<string> => {
    if (input.isTTY) output.write(prompt);
    const { promise, resolve } = Promise.withResolvers<string>();
    lines.once("line", resolve).once("close", () => resolve(""));
    const line = await promise;
    if (input.isTTY) output.write("\n");
    return line;
  };
  try {
    const password = await next("Password: ");
    if (password === "") throw new UsageError("There is no password on the standard input.");
    if (input.isTTY && (await next("The same again: ")) !== password)
      throw new UsageError("The two passwords differ.");
    return password;
  } finally {
    lines.close();
  }
}
