import { readFileSync, statSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..");
/** The output folder of built programs (vite.config.ts). */
export const dist = path.join(root, "launcher/dist");

/** The source of each program, by its name. */
export const PROGRAMS = {
  launcher: "launcher/start.ts",
  backup: "services/backup/main.ts",
  "command-api": "services/command-api/main.ts",
  mailer: "services/mailer/main.ts",
  projector: "services/projector/main.ts",
  "query-api": "services/query-api/main.ts",
  web: "services/web/main.ts",
};

/** The file in a build that lists what it was built from (`Sources` in build-apps.ts). */
export const SOURCES_FILE = ".sources.json";

/** A file's modification time in seconds and its size in bytes. Container images drop fractions of seconds. */
export function stateOf(/** @type {string} */ file) {
  const { mtimeMs, size } = statSync(file);
  return `${Math.floor(mtimeMs / 1000)} ${size}`;
}

/** Whether the programs are built and no source has changed since. */
export function areBuilt() {
  try {
    const { files } = JSON.parse(readFileSync(path.join(dist, SOURCES_FILE), "utf8"));
    return Object.entries(files).every(([file, state]) => stateOf(path.join(root, file)) === state);
  } catch {
    return false;
  }
}
