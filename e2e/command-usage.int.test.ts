import { execFile } from "node:child_process";
import { lstat, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plainEnvironment } from "./support/config.ts";

const root = path.resolve(import.meta.dirname, "..");
let scratch: string;
let dataDir: string;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-usage-"));
  dataDir = path.join(scratch, "data");
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Runs a program where no data folder and no store exists yet. */
function run(program: string, args: readonly string[]) {
  const env = { ...plainEnvironment(), DATA_DIR: dataDir };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(root, program), ...args],
      { env },
      (error, out, err) => resolve({ code: error ? error.code : 0, stdout: out, stderr: err }),
    );
    child.stdin?.end();
  });
}

const missing = { code: "ENOENT" };

/** By npm's names: the program, and invalid ways to call it. */
const commands: Record<string, [program: string, ...wrong: [args: string[], says: string][]]> = {
  "account:add": [
    "ops/account-add.ts",
    [["--role", "owner"], 'There is no role "owner". Known: user, admin, auditor.'],
    [
      ["--role", "user", "--password", "Correct-horse-9"],
      "A password among the arguments is for everybody on the machine to read",
    ],
    [["--role", "user", "--password=Correct-horse-9"], "give it with --password-stdin."],
    [["--role", "user", "--password-stdin"], "There is no password on the standard input."],
    [["--role", "user", "--email", "nobody"], "--email is no e-mail address."],
    [["--nonsense"], "Unknown option '--nonsense'"],
    [[], "--role is missing."],
  ],
  "account:reset-factor": [
    "ops/account-reset-factor.ts",
    [[], "Whose second factor is to be reset?"],
    [["ann"], "An account is named by its e-mail address."],
    [["ann@b.example", "now"], 'Unknown argument "now".'],
  ],
  "admin:reset": [
    "ops/admin-reset.ts",
    [["someone@b.example"], 'Unknown argument "someone@b.example".'],
  ],
  "audit:verify": ["ops/audit-verify.ts", [["--fast"], 'Unknown argument "--fast".']],
  backup: [
    "ops/backup.ts",
    [["now"], 'There is no word "now". Known: list, verify.'],
    [["verify"], "Which backup?"],
    [["verify", "a", "b"], 'Unknown argument "b".'],
    [["list", "a"], 'Unknown argument "a".'],
  ],
  bench: [
    "bench/bench.ts",
    [
      ["everything"],
      'There is no part "everything". Known: rebuild, mails, reads, visible, hostile, resend, files, submits.',
    ],
    [["--events", "few"], "--events must be a whole number"],
  ],
  "compose:secrets": [
    "deploy/compose-secrets.ts",
    [["all"], 'Unknown argument "all".'],
    [["--renew-certificates", "redis"], 'Unknown argument "redis".'],
  ],
  erase: [
    "ops/erase.ts",
    [[], "Who is to be erased?"],
    [["person", "x"], 'There is no kind "person". Known: report, reporter, account, inquiry.'],
    [["report", "x"], "A report is named by its id."],
    [["reporter"], "Which reporter?"],
    [["reporter", "ann@b.example"], "A report is named by its id."],
    [["account", "ann"], "An account is named by its id or its e-mail address."],
    [["account", "ann@b.example", "now"], 'Unknown argument "now".'],
  ],
  inquiry: [
    "ops/inquiry.ts",
    [[], "Should they be listed, or one be shown?"],
    [["read"], 'There is no word "read". Known: list, show, document.'],
    [["show"], "Which number?"],
    [["show", "L-1", "x"], 'Unknown argument "x".'],
    [["document", "L-1"], "Into which file should the document be written?"],
    [["document", "L-1", "a.pdf", "b"], 'Unknown argument "b".'],
    [["list", "all"], 'Unknown argument "all".'],
  ],
  "keys:replace": [
    "ops/keys-replace.ts",
    [[], "Which key should be replaced?"],
    [
      ["master"],
      'There is no key "master". Known: tokens, links, unsubscribe, limits, positions, pages, commands.',
    ],
    [["slugs"], "The key slugs cannot be replaced: what it made stands in the log."],
    [["blind-index"], "The key blind-index cannot be replaced"],
    [["tokens", "links"], 'Unknown argument "links".'],
  ],
  "keys:rotate": ["ops/keys-rotate.ts", [["--dry-run"], 'Unknown argument "--dry-run".']],
  "log:restored": ["ops/log-restored.ts", [["yes"], 'Unknown argument "yes".']],
  opensearch: [
    "ops/opensearch.ts",
    [["--port", "70000"], '--port must be a number up to 65535, not "70000".'],
    [["--cluster"], "Known: --port, --data."],
  ],
  parked: [
    "ops/parked.ts",
    [["remove"], 'There is no verb "remove". Known: list, retry.'],
    [
      ["retry", "nonsense"],
      'There is no processor "nonsense". Known: reports, offenders, audit, accounts, content, settings, users, inquiries, search, outbox.',
    ],
  ],
  "reactions:release": [
    "ops/reactions-release.ts",
    [[], "Choose one: --send or --drop."],
    [["--send", "--drop"], "Choose one: --send or --drop."],
    [["--keep"], 'There is no choice "--keep". Known: --send, --drop.'],
  ],
  rebuild: [
    "ops/rebuild.ts",
    [[], "What should be rebuilt?"],
    [
      ["everything"],
      'There is no processor "everything". Known: all, reports, offenders, audit, accounts, content, settings, users, inquiries, search.',
    ],
    [["outbox"], "outbox cannot be rebuilt: a sent mail cannot be taken back."],
  ],
  restore: [
    "ops/restore.ts",
    [[], "Which backup?"],
    [["a", "b"], 'Unknown argument "b".'],
    [["a", "--force"], "Known: --keys, --erasures-lost."],
  ],
  "sample:clear": ["ops/sample-clear.ts", [["all"], 'Unknown argument "all".']],
};
const cases = Object.entries(commands);

describe("an operator's command", () => {
  it.each(
    cases.flatMap(([name, [program, ...wrong]]) =>
      wrong.map(([args, says]) => ({ name, program, args, says })),
    ),
  )(
    "ends with 2, what is wrong and its usage on stderr, and does nothing: $name $args",
    async (called) => {
      const { code, stdout, stderr } = await run(called.program, called.args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(called.says);
      expect(stderr).toContain(`Usage: npm run ${called.name}`);
      expect(stderr).not.toContain("Correct-horse-9");
      await expect(lstat(dataDir)).rejects.toMatchObject(missing);
    },
  );

  it.each(cases.map(([name, [program]]) => ({ name, program })))(
    "prints its usage on stdout with --help: $name",
    async ({ name, program }) => {
      const { code, stdout, stderr } = await run(program, ["--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name}`));
      await expect(lstat(dataDir)).rejects.toMatchObject(missing);
    },
  );
});
