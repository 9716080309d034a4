/**
 * Counts the project's lines. `npm run check` prints the table at its end;
 * `node tools/count-lines.ts` prints only the table.
 *
 * Blank lines don't count; comments do. The files are those that git tracks or would add; outside a
 * work tree, everything except hidden files, `node_modules` and `dist`. Each file has one kind, the first
 * that fits:
 *
 * - tests: `*.test.ts` and `*.test.tsx`, including those in `e2e/`;
 * - fixtures: everything in a folder named `fixtures`, `frozen` or `stored-...`;
 * - generated: a file whose first lines name the program that wrote it, and `package-lock.json`;
 * - Markdown, in kB (1,000 bytes);
 * - e2e support: other code in `e2e/`;
 * - test support: code in `packages/test-kit` and in folders named `testing` or `contract`,
 * `*.fixture.ts`, and the suites that all adapters of a port pass (`contract-suite.ts`);
 * - production: all other code, including `bench/`, `deploy/`, `launcher/`, `ops/` and `tools/`;
 * - data: YAML, JSON and XML, to show code that moves there.
 *
 * Code is TypeScript, JavaScript, CSS, HTML, SQL, shell, Lua, Java, HAProxy's `.cfg`, and files without
 * an extension that begin with `#!`. Other files (Dockerfile, pictures, patches) count only as fixtures.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");

/** The count at commit a5ececda, the baseline. With blank lines: 145,902 of production, 89,371 of tests. */
const BASE = {
  "production lines": 136_341,
  "production files": 1_916,
  "test lines": 82_710,
  "test files": 659,
  "of them e2e, lines": 18_004,
  "e2e support, lines": 3_201,
  "test support, lines": 11_717,
  "fixtures, lines": 135_889,
  "generated, lines": 13_180,
  "data, lines": 7_118,
  "Markdown, kB": 686,
  "packages in dependencies": 66,
};
type Figure = keyof typeof BASE;

const TARGETS: Partial<Record<Figure, string>> = {
  "production lines": "68%",
  "production files": "1,200",
  "test lines": "about 56,000",
  "Markdown, kB": "180",
  "packages in dependencies": "56",
};

const CODE = /\.([cm]?[jt]sx?|css|html|sql|sh|lua|java|cfg)$/;
const WRITTEN_BY = /\b(generated|made|written) (by|from|of) [^\n]*`node |do not edit/i;
const SUPPORT =
  /^packages\/test-kit\/|\/(testing|contract)\/|\.(fixture|contract)\.ts$|-contract\.ts$|\/contract-suite\.ts$/;

export type Kind =
  | "tests"
  | "fixtures"
  | "generated"
  | "markdown"
  | "e2e"
  | "support"
  | "production"
  | "data";

/** @param file its path from the project's root, with forward slashes. */
export function kindOf(file: string, text: string): Kind | undefined {
  const head = text.split("\n", 5).join("\n");
  const isCode = CODE.test(file) || (!/\.\w+$/.test(file) && head.startsWith("#!"));
  if (/\.test\.tsx?$/.test(file)) return "tests";
  if (/(^|\/)(fixtures|frozen|stored-[^/]*)\//.test(file)) return "fixtures";
  if (file === "package-lock.json" || WRITTEN_BY.test(head)) return "generated";
  if (file.endsWith(".md")) return "markdown";
  if (isCode && file.startsWith("e2e/")) return "e2e";
  if (isCode && SUPPORT.test(file)) return "support";
  if (isCode) return "production";
  return /\.(ya?ml|json|xml)$/.test(file) ? "data" : undefined;
}

/** Formats the table for a terminal. */
export function sizeTable(folder = root): string[] {
  const now = count(folder);
  const row = (cells: string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(24) : cell.padStart(14))).join("");
  const percent = (name: Figure) => `${((100 * now[name]) / BASE[name]).toFixed(1)}%`;
  return [
    row(["size", "now", "a5ececda", "of it", "at most"]),
    ...(Object.keys(BASE) as Figure[]).map((name) =>
      row([
        name,
        now[name].toLocaleString("en-US"),
        BASE[name].toLocaleString("en-US"),
        percent(name),
        TARGETS[name] ?? "",
      ]),
    ),
  ];
}

function count(folder: string): Record<Figure, number> {
  const files = { tests: 0, production: 0 } as Record<Kind, number>;
  const lines = {} as Record<Kind, number>;
  let markdown = 0;
  let e2e = 0;
  for (const file of listFiles(folder)) {
    const bytes = readFileSync(path.join(folder, file));
    const text = bytes.toString();
    const kind = kindOf(file, text);
    if (!kind) continue;
    const nonblank = text.split("\n").filter((line) => line.trim() !== "").length;
    files[kind] = (files[kind] ?? 0) + 1;
    lines[kind] = (lines[kind] ?? 0) + nonblank;
    if (kind === "markdown") markdown += bytes.length;
    if (kind === "tests" && file.startsWith("e2e/")) e2e += nonblank;
  }
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    dependencies: object;
  };
  return {
    "production lines": lines.production ?? 0,
    "production files": files.production,
    "test lines": lines.tests ?? 0,
    "test files": files.tests,
    "of them e2e, lines": e2e,
    "e2e support, lines": lines.e2e ?? 0,
    "test support, lines": lines.support ?? 0,
    "fixtures, lines": lines.fixtures ?? 0,
    "generated, lines": lines.generated ?? 0,
    "data, lines": lines.data ?? 0,
    "Markdown, kB": Math.round(markdown / 1000),
    "packages in dependencies": Object.keys(manifest.dependencies).length,
  };
}

function listFiles(folder: string): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", ["ls-files", "-z", ...args], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 1e8,
    })
      .toString()
      .split("\0")
      .filter((file) => file !== "");
  try {
    const deleted = new Set(git("--deleted"));
    const files = git("--cached", "--others", "--exclude-standard");
    if (files.length > 0) return files.filter((file) => !deleted.has(file));
  } catch {
    // No git, or no work tree.
  }
  return globSync("**/*", {
    cwd: folder,
    withFileTypes: true,
    exclude: ({ name }) => name === "node_modules" || name === "dist",
  })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join("/"));
}

if (import.meta.main) for (const line of sizeTable(process.argv[2])) console.log(line);
