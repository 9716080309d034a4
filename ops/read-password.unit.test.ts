import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { UsageError } from "#runtime/lifecycle/usage.ts";
import { readPassword } from "./read-password.ts";

/** A pipe with this content. */
function pipe(text: string): PassThrough {
  const input = new PassThrough();
  input.end(text);
  return input;
}

/** A terminal at which these lines are typed when prompted. Like a real one, it echoes unless it is in raw mode. */
function terminal(...typed: string[]) {
  let isRaw = false;
  let shown = "";
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(mode: boolean) {
      isRaw = mode;
      return input;
    },
  });
  const output = {
    write(text: string) {
      shown += text;
      if (!text.endsWith(": ")) return;
      const line = typed.shift();
      setImmediate(() => {
        if (line === undefined) return input.end();
        if (!isRaw) shown += line;
        input.write(`${line}\r`);
      });
    },
  };
  return { input: input as never, output, shown: () => shown, isRaw: () => isRaw };
}

const nowhere = {
  write(text: string) {
    throw new Error(`nobody is asked, but was told ${text}`);
  },
};

describe("reading a password", () => {
  it.each([
    ["Correct-horse-9\n"],
    ["Correct-horse-9\r\n"],
    ["Correct-horse-9"],
    ["Correct-horse-9\nand more\n"],
  ])("reads the first line of a pipe: %j", async (text) => {
    expect(await readPassword(pipe(text), nowhere)).toBe("Correct-horse-9");
  });

  it.each([[""], ["\n"], ["\nCorrect-horse-9\n"]])(
    "rejects an empty first line: %j",
    async (text) => {
      await expect(readPassword(pipe(text), nowhere)).rejects.toThrow(
        new UsageError("No password on standard input."),
      );
    },
  );

  it("prompts twice at a terminal, without echo", async () => {
    const { input, output, shown, isRaw } = terminal("Correct-horse-9", "Correct-horse-9");
    expect(await readPassword(input, output)).toBe("Correct-horse-9");
    expect(shown()).toBe("Password: \nRepeat the password: \n");
    expect(isRaw()).toBe(false);
  });

  it("rejects two different passwords at a terminal, or none", async () => {
    const twice = terminal("Correct-horse-9", "Correct-horse-8");
    await expect(readPassword(twice.input, twice.output)).rejects.toThrow(
      "The passwords don't match",
    );
    const none = terminal();
    await expect(readPassword(none.input, none.output)).rejects.toThrow("No password");
    expect(none.isRaw()).toBe(false);
  });
});
