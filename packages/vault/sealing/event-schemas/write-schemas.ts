/**
 * Adds the schemas of new versions to `event-schemas.json`. Run it when a version is added;
 * existing schemas are never changed.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type EventSchemas, eventSchemas, SCHEMAS_FILE } from "./event-schemas.ts";

const kept: EventSchemas = existsSync(SCHEMAS_FILE)
  ? JSON.parse(readFileSync(SCHEMAS_FILE, "utf8"))
  : {};
const all = Object.entries({ ...eventSchemas(), ...kept });
const sorted = all.toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(SCHEMAS_FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
execFileSync("npx", ["biome", "format", "--write", fileURLToPath(SCHEMAS_FILE)], {
  stdio: "inherit",
});
