/** Checks every source file against the architecture rules; part of `npm run lint`. */
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { findViolations } from "./rules.ts";
import { readSourceFacts, type SourceFacts } from "./source-facts.ts";

const root = path.resolve(import.meta.dirname, "../..");
const { imports: aliases } = JSON.parse(
  await readFile(path.join(root, "package.json"), "utf8"),
) as {
  imports: Record<string, string>;
};

const facts = new Map<string, SourceFacts>();
const sources = glob(
  "{contracts,packages,services,web-public,web-admin,launcher,ops,bench,deploy,tools,e2e}/**/*.{ts,tsx}",
  {
    cwd: root,
    exclude: (name) => /^(node_modules|dist|\.dist-.*)$/.test(path.basename(name)),
  },
);
for await (const found of sources) {
  const file = found.split(path.sep).join("/");
  facts.set(file, readSourceFacts(file, await readFile(path.join(root, found), "utf8")));
}
if (facts.size === 0) throw new Error(`no source file was found below ${root}`);

const violations = findViolations(facts, aliases);
for (const { file, line, message } of violations) console.error(`${file}:${line}: ${message}`);
console.log(
  `Checked the architecture of ${facts.size} files: ${violations.length === 0 ? "every rule is kept" : `${violations.length} violations`}.`,
);
process.exitCode = violations.length === 0 ? 0 : 1;
