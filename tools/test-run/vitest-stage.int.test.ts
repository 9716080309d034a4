import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FilesResult } from "./summary.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-stage-"));
  await symlink(path.join(root, "node_modules"), path.join(scratch, "node_modules"));
  await writeFile(path.join(scratch, "package.json"), '{ "type": "module" }');
  await writeFile(
    path.join(scratch, "vitest.config.ts"),
    `export default { test: { projects: [
      { test: { name: "mixed", include: ["mixed.ts"] } },
      { test: { name: "broken", include: ["broken.ts"] } },
      { test: { name: "unhandled", include: ["unhandled.ts"] } },
      { test: { name: "empty", include: ["nothing.ts"] } },
    ] } };`,
  );
  await writeFile(
    path.join(scratch, "mixed.ts"),
    `import { expect, it } from "vitest";
     it("passes", () => {});
     it("fails", () => expect(1).toBe(2));
     it("is skipped", ({ skip }) => skip("no browser here"));
     it.skip("is skipped without a reason", () => {});`,
  );
  await writeFile(path.join(scratch, "broken.ts"), 'import "./not-there.ts";');
  await writeFile(
    path.join(scratch, "unhandled.ts"),
    `import { it } from "vitest";
     it("passes and leaves a rejection", () => { void Promise.reject(new Error("nobody looked")); });`,
  );
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function stage(project: string): Promise<{ code: number; result: FilesResult | undefined }> {
  const file = path.join(scratch, `${project}.json`);
  const script = path.join(import.meta.dirname, "vitest-stage.ts");
  const code = await run(process.execPath, [script, project, file], {
    cwd: scratch,
  }).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
  const text = await readFile(file, "utf8").catch(() => undefined);
  return { code, result: text ? JSON.parse(text) : undefined };
}

describe("a stage of the test run", () => {
  it("counts passed, failed and skipped tests, with each reason", async () => {
    expect(await stage("mixed")).toEqual({
      code: 1,
      result: {
        files: [
          {
            file: "mixed.ts",
            ms: expect.any(Number),
            passed: 1,
            failed: [
              {
                test: "mixed > mixed.ts > fails",
                message: "expected 1 to be 2 // Object.is equality",
              },
            ],
            skipped: [
              { test: "mixed > mixed.ts > is skipped", reason: "no browser here" },
              { test: "mixed > mixed.ts > is skipped without a reason", reason: "no reason given" },
            ],
          },
        ],
        unhandled: [],
      },
    });
  });

  it("counts a file that fails to load as a failure", async () => {
    const { code, result } = await stage("broken");
    expect(code).toBe(1);
    const failed = [
      { test: "broken > broken.ts", message: expect.stringContaining("not-there.ts") },
    ];
    expect(result).toEqual({
      files: [{ file: "broken.ts", ms: expect.any(Number), passed: 0, failed, skipped: [] }],
      unhandled: [],
    });
  });

  it("counts an error outside any test as a failure", async () => {
    const { code, result } = await stage("unhandled");
    expect(code).toBe(1);
    expect(result).toMatchObject({
      files: [{ passed: 1, failed: [] }],
      unhandled: [{ test: "an unhandled error", message: "nobody looked" }],
    });
  });

  it("fails if there was nothing to run", async () => {
    expect((await stage("empty")).code).not.toBe(0);
  });
});
