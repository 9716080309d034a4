import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hostileKinds } from "#bench/parts/hostile.ts";
import type { Row } from "#bench/row.ts";
import { findChromium } from "./support/browser.ts";
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
  const sizes = ["--events", "300", "--seconds", "1", "--samples", "2", "--connections", "2"];
  const { code, out, errors } = await bench([...sizes, "--kinds", "2"]);
  expect({ code, errors }).toEqual({ code: 0, errors: expect.not.stringContaining("Error") });
  const lines = out.split("\n").filter((line) => line.startsWith("{"));
  const rows = lines.map((line) => JSON.parse(line) as Row);
  expect(rows.map(({ name }) => name)).toEqual([
    "rebuild of all read models",
    "rebuild: memory at its end",
    "mails over SMTP",
    "search",
    "detail",
    "list of the newest 20",
    "moderators' list, 20 a page",
    "approval to plain search",
    ...(findChromium() ? ["approval to the queue's next report, 95th percentile"] : []),
    ...hostileKinds()
      .slice(0, 2)
      .map(({ name }) => `hostile ${name}`),
    "submits, connections: 2, npm start",
    "submits, connections: 2, command-api alone",
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
  expect(rows[0]?.detail?.events).toBeGreaterThanOrEqual(300);
  const left = await readdir(scratch);
  expect(left.filter((name) => name.startsWith("registry-bench-"))).toEqual([]);
}, 300_000);

it("npm run bench prints its usage for an unknown option", async () => {
  const { code, out, errors } = await bench(["rebuilds"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(errors).toContain('There is no part "rebuilds".');
  expect(errors).toContain("Usage: npm run bench");
});
