import { readFileSync, statSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..");
/** The folder that programs are built into (vite.config.ts). */
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

/** The file of a build that says what it was built from (`Sources` in build-apps.ts). */
export const SOURCES_FILE = ".sources.json";

/** Second of a file's last change and its size in bytes. Images of containers keep no parts of seconds. */
export function stateOf(/** @type {string} */ file) {
  const { mtimeMs, size } = statSync(file);
  return `${Math.floor(mtimeMs / 1000)} ${size}`;
}

/** Whether the programs are built, and no source was changed since. */
export function areBuilt() {
  try {
    const { files } = JSON.parse(readFileSync(path.join(dist, SOURCES_FILE), "utf8"));
    return Object.entries(files).every(([file, state]) => stateOf(path.join(root, file)) === state);
  } catch {
    return false;
  }
}
