import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { javaEnvironment } from "./config.ts";
import { findJdk, findMaven, type Jdk, minimumJava } from "./jdk.ts";

const project = import.meta.dirname;
const cacheRoot = path.resolve(project, "../../node_modules/.cache/opensearch");

/** Downloading 60 MB may take a while but must not stall forever. */
const buildLimitMs = 10 * 60_000;

export type NodePrograms = {
  jdk: Jdk;
  /** Compiled classes and jars, as a Java class path. */
  classPath: string;
};

/** Explains why no node can be started on this machine; undefined if one can. */
export async function whyNoNode(): Promise<string | undefined> {
  if (!(await findJdk())) return `no JDK ${minimumJava} or newer is installed`;
  if (!(await findMaven())) return "Maven is not installed";
  return undefined;
}

/**
 * Gets OpenSearch's jars from Maven Central and compiles the node. The result is kept below
 * `node_modules/.cache` until the project or the JDK changes.
 *
 * @param say called if something has to be built.
 * @throws {Refusal} no JDK, no Maven, or Maven's own error.
 */
export async function prepareNode(say: (line: string) => void): Promise<NodePrograms> {
  const [jdk, maven] = await Promise.all([findJdk(), findMaven()]);
  if (!jdk) throw new Refusal(`OpenSearch needs a JDK ${minimumJava} or newer: install one.`);
  const cache = path.join(cacheRoot, await fingerprint(jdk));
  const known = await readBuilt(cache);
  if (known) return { jdk, classPath: known };
  if (!maven) throw new Refusal("Maven downloads OpenSearch's jars: install it (mvn).");
  say("OpenSearch: downloading its jars from Maven Central");
  await build(maven, jdk, cache);
  const classPath = await readBuilt(cache);
  if (!classPath) throw new Refusal("Maven wrote no class path for OpenSearch.");
  return { jdk, classPath };
}

/** Builds beside the destination and then renames, so that a second process uses the first one's build. */
async function build(maven: string, jdk: Jdk, cache: string): Promise<void> {
  await mkdir(cacheRoot, { recursive: true });
  const output = await mkdtemp(path.join(cacheRoot, "build-"));
  try {
    const classPathFile = path.join(output, "class-path");
    const goals = ["compile", "dependency:build-classpath"];
    await promisify(execFile)(
      maven,
      [
        ...["--batch-mode", "--quiet", "--file", path.join(project, "pom.xml")],
        ...[`-Doutput=${output}`, `-Dmdep.outputFile=${classPathFile}`, ...goals],
      ],
      {
        env: javaEnvironment(jdk.home),
        timeout: buildLimitMs,
        shell: process.platform === "win32",
      },
    ).catch((error: { stdout?: string; message: string }) => {
      const complaint = error.stdout?.split("\n").find((line) => line.includes("ERROR"));
      throw new Refusal(`Maven could not prepare OpenSearch: ${complaint ?? error.message}`);
    });
    await rm(cache, { recursive: true, force: true });
    await rename(output, cache).catch(async (error) => {
      if (!(await readBuilt(cache))) throw error;
    });
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

/** Returns undefined if it was never built or jars have disappeared since. */
async function readBuilt(cache: string): Promise<string | undefined> {
  try {
    const jars = (await readFile(path.join(cache, "class-path"), "utf8")).trim();
    const classes = path.join(cache, "classes");
    const parts = [classes, ...jars.split(path.delimiter)];
    await Promise.all(parts.map((part) => access(part)));
    return parts.join(path.delimiter);
  } catch {
    return undefined;
  }
}

/** Hash of everything the build depends on. */
async function fingerprint(jdk: Jdk): Promise<string> {
  const hash = createHash("sha256").update(jdk.home);
  const entries = await readdir(path.join(project, "src"), {
    recursive: true,
    withFileTypes: true,
  });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of [path.join(project, "pom.xml"), ...files.sort()])
    hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}

/** Creates a node's folder, readable by this user only. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path.join(folder, "opensearch.log"), "", { flag: "a", mode: 0o600 });
}
