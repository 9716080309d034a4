import { execFile } from "node:child_process";
import { lstat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { scripts } from "../package.json" with { type: "json" };

const root = path.resolve(import.meta.dirname, "..");
const dataDir = path.join(os.tmpdir(), `registry-usage-${process.pid}`);

const programOf = (name: string) =>
  path.join(root, `${scripts[name as keyof typeof scripts]}`.replace(/^node /, ""));

let runs = 0;

/** Runs a program in this process, with no data folder and no store yet. */
async function run(name: string, args: readonly string[]) {
  const ended = new Error("the program has ended");
  const own = process.argv;
  process.argv = [process.execPath, programOf(name), ...args];
  vi.stubEnv("DATA_DIR", dataDir);
  vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([]) as typeof process.stdin);
  const exit = vi.spyOn(process, "exit").mockImplementation(() => {
    throw ended;
  });
  const stdout = vi.spyOn(console, "log").mockReturnValue();
  const stderr = vi.spyOn(console, "error").mockReturnValue();
  runs += 1;
  // A new URL makes Node.js evaluate it again.
  await expect(import(`${programOf(name)}?run=${runs}`)).rejects.toBe(ended);
  process.argv = own;
  await expect(lstat(dataDir)).rejects.toMatchObject({ code: "ENOENT" });
  return { code: exit.mock.calls[0]?.[0], stdout: written(stdout), stderr: written(stderr) };
}

const written = ({ mock }: { mock: { calls: unknown[][] } }) => mock.calls.flat().join("\n");

/** Invalid ways to call each command, by npm's names. */
const commands: Record<string, [args: string[], says: string][]> = {
  "account:add": [
    [["--role", "owner"], 'There is no role "owner". Known: user, admin, auditor.'],
    [
      ["--role", "user", "--password", "Correct-horse-9"],
      "Anyone on this machine can read a password in the arguments",
    ],
    [["--role", "user", "--password=Correct-horse-9"], "give it with --password-stdin."],
    [["--role", "user", "--password-stdin"], "No password on standard input."],
    [["--role", "user", "--email", "nobody"], "--email is not an email address."],
    [["--nonsense"], "Unknown option '--nonsense'"],
    [[], "--role is missing."],
  ],
  "account:reset-factor": [
    [[], "Which account's second factor should be reset?"],
    [["ann"], "Give the account's email address."],
    [["ann@b.example", "now"], 'Unknown argument "now".'],
  ],
  "admin:reset": [[["someone@b.example"], 'Unknown argument "someone@b.example".']],
  "audit:verify": [[["--fast"], 'Unknown argument "--fast".']],
  backup: [
    [["now"], 'There is no word "now". Known: list, verify.'],
    [["verify"], "Which backup?"],
    [["verify", "a", "b"], 'Unknown argument "b".'],
    [["list", "a"], 'Unknown argument "a".'],
  ],
  "compose:secrets": [
    [["all"], 'Unknown argument "all".'],
    [["--renew-certificates", "redis"], 'Unknown argument "redis".'],
  ],
  erase: [
    [[], "What should be erased?"],
    [["person", "x"], 'There is no kind "person". Known: report, reporter, account, inquiry.'],
    [["report", "x"], "Give the report's ID."],
    [["reporter"], "Which reporter?"],
    [["reporter", "ann@b.example"], "Give the report's ID."],
    [["account", "ann"], "Give the account's ID or email address."],
    [["account", "ann@b.example", "now"], 'Unknown argument "now".'],
  ],
  inquiry: [
    [[], "Use list, show or document."],
    [["read"], 'There is no word "read". Known: list, show, document.'],
    [["show"], "Which number?"],
    [["show", "L-1", "x"], 'Unknown argument "x".'],
    [["document", "L-1"], "Into which file should the document be written?"],
    [["document", "L-1", "a.pdf", "b"], 'Unknown argument "b".'],
    [["list", "all"], 'Unknown argument "all".'],
  ],
  "keys:replace": [
    [[], "Which key should be replaced?"],
    [
      ["master"],
      'There is no key "master". Known: tokens, links, unsubscribe, limits, positions, pages, commands.',
    ],
    [["slugs"], "The key slugs cannot be replaced: values made with it are in the log."],
    [["blind-index"], "The key blind-index cannot be replaced"],
    [["tokens", "links"], 'Unknown argument "links".'],
  ],
  "keys:rotate": [[["--dry-run"], 'Unknown argument "--dry-run".']],
  "log:restored": [[["yes"], 'Unknown argument "yes".']],
  migrate: [[["now"], 'Unknown argument "now".']],
  opensearch: [
    [["--port", "70000"], '--port must be a number up to 65535, not "70000".'],
    [["--cluster"], "Known: --port, --data."],
  ],
  parked: [
    [["remove"], 'There is no verb "remove". Known: list, retry.'],
    [["list", "reports", "x", "y"], 'Unexpected argument: "y".'],
    [
      ["retry", "nonsense"],
      'There is no processor "nonsense". Known: reports, offenders, audit, accounts, content, settings, users, inquiries, search, outbox.',
    ],
  ],
  "reactions:release": [
    [[], "Choose one: --send or --drop."],
    [["--send", "--drop"], "Choose one: --send or --drop."],
    [["--keep"], 'There is no choice "--keep". Known: --send, --drop.'],
  ],
  rebuild: [
    [[], "What should be rebuilt?"],
    [
      ["everything"],
      'There is no processor "everything". Known: all, reports, offenders, audit, accounts, content, settings, users, inquiries, search.',
    ],
    [["outbox"], "outbox can't be rebuilt: sent emails can't be recalled."],
    [["reports", "nothing"], 'There is no processor "nothing".'],
    [["all", "reports"], '"all" means every processor'],
  ],
  restore: [
    [[], "Which backup?"],
    [["a", "b"], 'Unknown argument "b".'],
    [["a", "--force"], "Known: --keys, --erasures-lost."],
  ],
  "sample:clear": [[["all"], 'Unknown argument "all".']],
};
describe("an operator's command", () => {
  it("is covered by this test", () => {
    const programs = Object.entries(scripts).filter(([, script]) => script.startsWith("node ops/"));
    expect(Object.keys(commands)).toEqual(expect.arrayContaining(programs.map(([name]) => name)));
  });

  it.each(
    Object.entries(commands).flatMap(([name, wrong]) =>
      wrong.map(([args, says]) => ({ name, args, says })),
    ),
  )(
    "exits with 2, prints what is wrong and its usage on stderr, and does nothing: $name $args",
    async ({ name, args, says }) => {
      const { code, stdout, stderr } = await run(name, args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(says);
      expect(stderr).toContain(`Usage: npm run ${name}`);
      expect(stderr).not.toContain("Correct-horse-9");
    },
  );

  it.each(Object.keys(commands))("prints its usage on stdout with --help: %s", async (name) => {
    const { code, stdout, stderr } = await run(name, ["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name}`));
  });

  it("exits its process with that code and message", async () => {
    const args = [programOf("erase"), "person"];
    await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^There is no kind "person".*\nUsage: npm run erase/),
    });
  });
});
