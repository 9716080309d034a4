import { describe, expect, it } from "vitest";
import { explainWriteError, Refusal } from "./refusal.ts";

describe("an error met while writing the data folder", () => {
  it.each([
    ["EACCES", /cannot be written to/],
    ["EPERM", /cannot be written to/],
    ["EROFS", /cannot be written to/],
    ["ENOSPC", /is full/],
    ["EDQUOT", /is full/],
    ["ENOTDIR", /a file with that name exists/],
    ["ENOENT", /can't be created there/],
  ])("%s becomes one sentence that names DATA_DIR", (code, sentence) => {
    const explained = explainWriteError(Object.assign(new Error("x"), { code }), "/data");
    expect(explained).toBeInstanceOf(Refusal);
    expect((explained as Refusal).message).toMatch(sentence);
    expect((explained as Refusal).message).toMatch(/^[^\n]*DATA_DIR\.$/);
  });

  it("is recognized in messages from PostgreSQL and SQLite too", () => {
    for (const words of [
      'could not extend file "base/1/2": No space left on device',
      "database or disk is full",
    ])
      expect((explainWriteError(new Error(words), "/data") as Error).message).toMatch(/is full/);
    expect(
      (explainWriteError(new Error("attempt to write a readonly database"), "/data") as Error)
        .message,
    ).toMatch(/cannot be written to/);
  });

  it("is left unchanged if it is anything else", () => {
    const error = new Error("something else");
    expect(explainWriteError(error, "/data")).toBe(error);
  });
});
