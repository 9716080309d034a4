import { describe, expect, it } from "vitest";
import { UsageError } from "#runtime/lifecycle/usage-error.ts";
import { readOptions } from "./options.ts";

describe("the benchmark's options", () => {
  it("measure everything on a log of 200,000 events by default", () => {
    expect(readOptions([])).toMatchObject({
      parts: ["rebuild", "mails", "reads", "visible", "hostile", "resend", "files", "submits"],
      events: 200_000,
      connections: [1, 8, 32],
      json: undefined,
    });
  });

  it("select parts, which keep their order", () => {
    const { parts, events } = readOptions(["submits", "rebuild", "--events", "20000"]);
    expect({ parts, events }).toEqual({ parts: ["rebuild", "submits"], events: 20_000 });
  });

  it.each([
    [
      ["rebuilt"],
      'no part "rebuilt". Known: rebuild, mails, reads, visible, hostile, resend, files, submits.',
    ],
    [["--events", "many"], "--events must be a whole number"],
    [["--events", "5"], "--events must be a whole number of 200 or more"],
    [["--connections", "1,,8"], "--connections must be a whole number"],
    [["--seconds", "0"], "--seconds must be a whole number of 1 or more"],
    [["--speed", "9"], "--speed"],
  ])("refuse %j", (args, message) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(message);
  });
});
