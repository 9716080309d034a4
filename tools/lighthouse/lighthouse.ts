/**
 * `npm run lighthouse [-- runs]`: Lighthouse for mobile, as the median of five runs, on a registry with a few
 * made-up reports that it starts itself. Exits with 1 if below 98, 100, 100, 100. npm fetches Lighthouse at run
 * time.
 */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { freePort } from "#local-servers/postgres/server.ts";
import { findChromium, NO_BROWSER } from "../../e2e/support/browser.ts";
import { startRegistry } from "../../e2e/support/registry.ts";
import { chargeback } from "../../e2e/support/reports.ts";
import { ADMIN, openSession } from "../../e2e/support/sessions.ts";

const NAMES = ["Ames", "Brook", "Chan", "Diaz", "Ellis", "Frost", "Gray", "Hale", "Ives", "Jain"];

/** Submits and approves ten reports. @returns the URL of a readable one. */
async function publishReports(url: string): Promise<string> {
  const { token } = await openSession(url, ADMIN);
  const authorization = `Bearer ${token}`;
  for (const last_name of NAMES) {
    const { id } = await call<{ id: string }>(`${url}/prod/api/reports/submit`, {
      ...chargeback,
      last_name,
    });
    await call(`${url}/prod/api/admin/reports/${id}/approve`, {}, { authorization });
  }
  for (;;) {
    const reply = await fetch(`${url}/prod/api/reports/recent?limit=1`);
    const { data } = (await reply.json()) as { data: { seo_title: string }[] };
    if (data[0]) return `/report/${data[0].seo_title}`;
  }
}

async function call<T>(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as { data: T }).data;
}

/** Not a dependency, because it would make up a seventh of `node_modules`. */
const LIGHTHOUSE = "lighthouse@13.5.0";
const MIN = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 } as const;
type Category = keyof typeof MIN;
const CATEGORIES = Object.keys(MIN) as Category[];
const RUNS = Number(process.argv[2] ?? 5);
if (!Number.isInteger(RUNS) || RUNS < 1) {
  console.error("Usage: npm run lighthouse -- [runs]   (a whole number, 5 when absent)");
  process.exit(2);
}

const executablePath = findChromium();
if (!executablePath) throw new Error(NO_BROWSER);
const dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-lighthouse-"));
// Without sample data, whose pages ask not to be indexed.
const registry = await startRegistry({
  dataDir,
  env: { RATE_LIMIT: "off", ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
});
const port = await freePort();
const browser = await chromium.launch({
  executablePath,
  args: [`--remote-debugging-port=${port}`, "--no-sandbox", "--disable-gpu", "--no-first-run"],
});
try {
  const report = await publishReports(registry.url);
  console.log(["page".padEnd(24), ...CATEGORIES].join("  "));
  for (const route of ["/", "/search", report]) {
    const runs: Record<Category, number>[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await scoresOf(registry.url + route));
    const scores = CATEGORIES.map((category) => [category, median(runs, category)] as const);
    const shown = scores.map(([category, score]) => String(score).padStart(category.length));
    console.log([route.padEnd(24), ...shown].join("  "));
    if (scores.some(([category, score]) => score < MIN[category])) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await registry.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

interface Result {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Partial<
    Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  >;
  readonly audits: Readonly<Record<string, { title: string; score: number | null }>>;
}

/** Runs Lighthouse on a page in this run's browser. */
async function lighthouse(url: string): Promise<Result> {
  const categories = `--only-categories=${CATEGORIES.join()}`;
  const args = ["--yes", LIGHTHOUSE, url, `--port=${port}`, "--output=json", "--quiet", categories];
  const { stdout } = await promisify(execFile)("npx", args, { maxBuffer: 1e8 });
  return JSON.parse(stdout) as Result;
}

/** Returns one run's scores, from 0 to 100, and prints to stderr what costs points other than performance. */
async function scoresOf(url: string): Promise<Record<Category, number>> {
  const { runtimeError, categories, audits } = await lighthouse(url);
  if (runtimeError) throw new Error(`Lighthouse failed on ${url}: ${runtimeError.message}`);
  for (const category of CATEGORIES.slice(1))
    for (const { id, weight } of categories[category]?.auditRefs ?? []) {
      const audit = audits[id];
      if (weight > 0 && audit?.score === 0) console.error(`${url} ${category}: ${audit.title}`);
    }
  return Object.fromEntries(
    CATEGORIES.map((category) => [category, Math.round((categories[category]?.score ?? 0) * 100)]),
  ) as Record<Category, number>;
}

function median(runs: readonly Record<Category, number>[], category: Category): number {
  const sorted = runs.map((run) => run[category]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
