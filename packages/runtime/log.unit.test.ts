import { Writable } from "node:stream";
import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { createLogger, logDebug } from "./log.ts";

const SECRET = "dana-secret@example.com";

function logger() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLogger({ name: "mailer", destination }), lines };
}

describe("the log", () => {
  it("writes one JSON line with time, level and service", () => {
    const { log, lines } = logger();
    log.info({ processor: "reports", lag: 3, caughtUp: false, unset: undefined }, "projected");
    expect(JSON.parse(lines[0] as string)).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: "mailer",
      processor: "reports",
      lag: 3,
      caughtUp: false,
      msg: "projected",
    });
  });

  it("omits all text and objects not on the allowlist", () => {
    const { log, lines } = logger();
    const body = { email: SECRET };
    log.warn({ email: SECRET, body, list: [SECRET], url: `/x?q=${SECRET}` }, "refused");
    log.child({ user: SECRET }).info("of a child");
    expect(lines.join("")).not.toContain(SECRET);
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      email: "[withheld]",
      body: "[withheld]",
    });
  });

  it("writes debug lines while turned on, also from children, and still withholds text", () => {
    const { log, lines } = logger();
    const child = log.child({ job: "j1" });
    const speak = () => {
      log.debug({ email: SECRET }, "detail");
      child.debug("detail of a child");
    };
    speak();
    expect(lines).toEqual([]);
    logDebug(log, true);
    speak();
    log.trace("never");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["detail", "detail of a child"]);
    expect(lines.join("")).not.toContain(SECRET);
    logDebug(log, false);
    speak();
    expect(lines).toHaveLength(2);
  });

  it("stays at a lower configured level, and silent if configured so", () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) };
    const at = (level: string) => createLogger({ name: "mailer", level, destination });
    at("debug").debug("configured");
    at("silent").error("silent");
    const warn = at("warn");
    warn.info("below");
    logDebug(warn, true);
    warn.info("while debugging");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["configured", "while debugging"]);
  });

  it("logs the class, code and location of an error and its causes", () => {
    const { log, lines } = logger();
    const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    log.error({ err: new TypeError("x is not a function", { cause }) }, "failed");
    expect(JSON.parse(lines[0] as string).err).toMatchObject({
      type: "TypeError",
      message: "x is not a function",
      stack: expect.stringContaining("log.unit.test.ts"),
      cause: { type: "Error", code: "ECONNREFUSED" },
    });
  });

  it("omits messages and details that repeat input", () => {
    const { log, lines } = logger();
    const database = Object.assign(new DatabaseError(`invalid: "${SECRET}"`, 1, "error"), {
      code: "23505",
      detail: `Key (email)=(${SECRET}) already exists.`,
      constraint: "account_email",
    });
    log.error({ err: database }, "failed");
    log.error({ err: new SyntaxError(`Unexpected "${SECRET}"`, { cause: database }) }, "failed");
    log.error({ err: SECRET }, "failed");
    log.error(database);
    log.error({ err: database });
    log.error("failed for %s", SECRET);
    expect(lines.join("")).not.toContain(SECRET);
    expect(JSON.parse(lines[0] as string).err).toMatchObject({
      code: "23505",
      constraint: "account_email",
    });
  });
});
