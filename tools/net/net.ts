/**
 * `npm run net [-- openapi | screens [name ...] | story | journeys]`: regenerates what must not change during
 * refactoring, and shows how it differs from the frozen copy in `tools/net/frozen/`.
 * `npm run net -- --freeze [part]` freezes it.
 */

import { spawnSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Document, isPair, isScalar, visit } from "yaml";
import { startRegistry } from "../../e2e/support/registry.ts";
import { listJourneys } from "./journeys.ts";
import { writeScreens } from "./screens.ts";
import { writeStory } from "./story.ts";

/** Writes the OpenAPI description that a registry serves, with sorted keys. */
async function writeOpenApi(file: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-openapi-"));
  const registry = await startRegistry({ dataDir });
  try {
    const reply = await fetch(`${registry.url}/docs/json`);
    const { info: _versionOfTheRegistry, ...described } = (await reply.json()) as { info: object };
    const document = new Document(described, { sortMapEntries: true });
    visit(document, {
      // Collections without nested collections go on one line.
      Collection(_, node) {
        node.flow = node.items.every((item) => isScalar(isPair(item) ? item.value : item));
      },
    });
    await writeFile(file, document.toString({ lineWidth: 0 }));
  } finally {
    await registry.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The parts by file name, and what writes each of them to a folder. */
const PARTS: Readonly<Record<string, (file: string, names: readonly string[]) => Promise<void>>> = {
  "openapi.yaml": writeOpenApi,
  "journeys.txt": listJourneys,
  screens: writeScreens,
  "story.txt": writeStory,
};

const frozen = path.join(import.meta.dirname, "frozen");
const fresh = await mkdtemp(path.join(os.tmpdir(), "registry-net-"));
const given = process.argv.slice(2).filter((each) => each !== "--freeze");
const [only, ...names] = given;
const parts = Object.keys(PARTS).filter((file) => !only || path.parse(file).name === only);
if (parts.length === 0) throw new Error(`There is no part ${only}`);
if (given.length < process.argv.length - 2) await freeze();
else await compare();

async function freeze(): Promise<void> {
  for (const part of parts) {
    await PARTS[part]?.(path.join(fresh, part), names);
    if (names.length === 0) await rm(path.join(frozen, part), { recursive: true, force: true });
  }
  await cp(fresh, frozen, { recursive: true });
  await rm(fresh, { recursive: true });
}

async function compare(): Promise<void> {
  for (const part of parts) {
    await PARTS[part]?.(path.join(fresh, part), names);
    const files = names.length > 0 ? names.map((name) => path.join(part, `${name}.txt`)) : [part];
    for (const file of files) {
      const both = [path.join(frozen, file), path.join(fresh, file)];
      const options = ["--no-index", "--stat", "--patch", "--unified=2"];
      const { status } = spawnSync("git", ["--no-pager", "diff", ...options, "--", ...both], {
        stdio: "inherit",
      });
      if (status !== 0) process.exitCode = 1;
    }
  }
  console.log(process.exitCode ? `The new ones are in ${fresh}.` : "Nothing has changed.");
  if (!process.exitCode) await rm(fresh, { recursive: true });
}
