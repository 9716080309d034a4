import { createInterface } from "node:readline/promises";
import type { ReadStream } from "node:tty";
import { UsageError } from "#runtime/lifecycle/usage.ts";

/** The parts of a terminal or pipe needed to read a password. */
export type PasswordInput = NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;

/**
 * Reads a password: the first line of a pipe or file, or typed twice at a terminal without echo. It is
 * never an argument, which everyone on the machine can read.
 *
 * @param output where a terminal shows the prompt.
 * @throws {UsageError} if there is no password, or the two differ.
 */
export async function readPassword(
  input: PasswordInput,
  output: { write(text: string): unknown },
): Promise<string> {
  // For a terminal, the interface turns off the system's echo. Without an output it does not echo itself.
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
    if (password === "") throw new UsageError("No password on standard input.");
    if (input.isTTY && (await next("Repeat the password: ")) !== password)
      throw new UsageError("The passwords don't match.");
    return password;
  } finally {
    lines.close();
  }
}
