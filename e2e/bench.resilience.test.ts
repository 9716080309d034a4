import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hostileKinds } from "#bench/hostile/hostile-kinds.ts";
import type { Row } from "#bench/row.ts";
import { plainEnvironment } from "./support/config.ts";

const root = path.resolve(import.meta.dirname, "..");

let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-bench-test-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Runs the benchmark with its temporary files in a folder of this test. */
async function bench(args: readonly string[]) {
  const child = spawn(process.execPath, ["bench/bench.ts", ...args], {
    cwd: root,
    env: { ...plainEnvironment(), TMPDIR: scratch },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors] = [child.stdout, child.stderr].map((stream) => {
    const chunks: string[] = [];
    stream.on("data", (chunk) => chunks.push(String(chunk)));
    return chunks;
  }) as [string[], string[]];
  const [code] = await once(child, "close");
  return { code, out: out.join(""), errors: errors.join("") };
}

it("npm run bench measures every part on its own stores, and leaves nothing behind", async () => {
  const json = path.join(scratch, "rows.jsonl");
  const sizes = ["--events", "300", "--seconds", "1", "--samples", "2", "--connections", "2"];
  sizes.push("--kinds", "2", "--tries", "20");
  const { code, out, errors } = await bench([...sizes, "--json", json]);
  expect({ code, errors }).toEqual({ code: 0, errors: expect.not.stringContaining("Error") });
  const lines = (await readFile(json, "utf8")).trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Row);
  expect(rows.map(({ name }) => name)).toEqual([
    "rebuild of all read models",
    "rebuild against COPY of its rows",
    "rebuild: memory at its end",
    "mails to files",
    "mails over SMTP",
    "search",
    "detail",
    "list of the newest 20",
    "moderators' list, 20 a page",
    "moderators' list, 20 in the middle",
    "who was reported most in 7 days",
    "who was reported most in 30 days",
    "approval to plain search",
    "approval to another console",
    "publication to its page",
    "publication to every footer",
    ...hostileKinds()
      .slice(0, 2)
      .map(({ name }) => `hostile ${name}`),
    "resend, right and wrong address",
    "request after a resend",
    "upload, PDF of 2 MiB",
    "upload, photo of 4 megapixels",
    "download by staff, PDF of 2 MiB",
    "submits, 2 connections, npm start",
    "submits, 2 connections, command-api alone",
  ]);
  for (const { name, profile, value, baseline, ratio, p50, p99 } of rows) {
    expect({ name, profile, positive: value > 0 }).toEqual({
      name,
      profile: "embedded",
      positive: true,
    });
    if (baseline !== undefined) expect(ratio).toBeCloseTo(value / baseline, 2);
    if (p50 !== undefined) expect(p99).toBeGreaterThanOrEqual(p50);
  }
  expect(rows[0]?.detail?.events).toBe(300);
  for (const line of lines) expect(out).toContain(line);
  expect(out.match(/^\| embedded /gm)).toHaveLength(rows.length);
  const left = await readdir(scratch);
  expect(left.filter((name) => name.startsWith("registry-bench-"))).toEqual([]);
}, 300_000);

it("npm run bench prints its usage for an unknown option", async () => {
  const { code, out, errors } = await bench(["rebuilds"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(errors).toContain('There is no part "rebuilds".');
  expect(errors).toContain("Usage: npm run bench");
});
