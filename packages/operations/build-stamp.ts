import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { writeFileAtomically } from "#runtime/atomic-file.ts";

const BuildStamp = Type.Object({
  version: Type.String(),
  /** RFC 3339 in UTC. */
  built_at: Type.String(),
  /** Known vulnerabilities per the package registry at that time; absent if it was not asked. */
  scan: Type.Optional(
    Type.Object({
      packages: Type.Integer(),
      faulty: Type.Array(
        Type.Object({
          name: Type.String(),
          severity: Type.Enum(["low", "moderate", "high", "critical"]),
        }),
      ),
    }),
  ),
});

/** Metadata that a build leaves about itself. */
export type BuildStamp = Static<typeof BuildStamp>;

const fileIn = (root: string) => path.join(root, "dist", "build-stamp.json");
const projectRoot = path.resolve(import.meta.dirname, "../..");

/** Reads the last build's stamp; undefined if missing or unreadable. */
export async function readBuildStamp(root: string = projectRoot): Promise<BuildStamp | undefined> {
  try {
    const stamp: unknown = JSON.parse(await readFile(fileIn(root), "utf8"));
    return Value.Check(BuildStamp, stamp) ? stamp : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the stamp of a finished build. */
export async function writeBuildStamp(
  stamp: BuildStamp,
  root: string = projectRoot,
): Promise<void> {
  await mkdir(path.dirname(fileIn(root)), { recursive: true });
  await writeFileAtomically(fileIn(root), `${JSON.stringify(stamp, null, 2)}\n`, 0o644);
}
