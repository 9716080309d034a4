import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ClientFiles } from "./render.tsx";

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}
export type Manifest = Readonly<Record<string, Chunk>>;

/** The font that almost every text needs. The others load on demand. */
const PRELOADED_FONT = "inter-latin-wght-normal.woff2";

/** Reads `<distDir>/client/manifest.json`. */
export async function readManifest(distDir: string): Promise<Manifest> {
  const file = path.join(distDir, "client", "manifest.json");
  try {
    return JSON.parse(await readFile(file, "utf8")) as Manifest;
  } catch (cause) {
    throw new Error(`The site is not built: ${file} could not be read`, { cause });
  }
}

/** Returns the files that pages load, and the style sheets that they link to. */
export function clientFiles(manifest: Manifest): {
  files: ClientFiles;
  stylesheets: readonly string[];
} {
  const chunks = Object.entries(manifest);
  const entry = chunks.find(([, chunk]) => chunk.isEntry);
  if (!entry) throw new Error("The site's build manifest has no entry");
  const withEnd = (end: string) =>
    chunks.filter(([key]) => key.endsWith(end)).map(([, chunk]) => address(chunk));
  const entryModules = new Set(modulesOf(manifest, entry[0]));
  return {
    files: {
      entry: address(entry[1]),
      imports: [...entryModules].filter((file) => file !== address(entry[1])),
      fonts: withEnd(PRELOADED_FONT),
      pageModules: (source) =>
        modulesOf(manifest, source).filter((module) => !entryModules.has(module)),
    },
    stylesheets: [
      ...new Set(chunks.map(([, chunk]) => address(chunk)).filter((file) => file.endsWith(".css"))),
    ],
  };
}

function address(chunk: Chunk): string {
  return `/${chunk.file}`;
}

/** Returns the files of a chunk and of all chunks that it imports, without duplicates. */
function modulesOf(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return [];
  seen.add(key);
  const imported = (chunk.imports ?? []).flatMap((name) => modulesOf(manifest, name, seen));
  return [address(chunk), ...imported];
}
