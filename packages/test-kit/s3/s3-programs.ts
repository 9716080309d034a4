import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { javaEnvironment } from "#local-servers/opensearch/config.ts";
import { findJdk, findMaven, type Jdk, minimumJava } from "#local-servers/opensearch/jdk.ts";

const project = path.join(import.meta.dirname, "pom.xml");
const cacheRoot = path.resolve(import.meta.dirname, "../../../node_modules/.cache/s3-server");

/** Downloading 60 MB may take a while, but must not stall forever. */
const DOWNLOAD_LIMIT_MS = 10 * 60_000;

/**
 * Downloads the jars of the S3 server from Maven Central, once.
 * @returns the reason if it cannot run here.
 */
export async function prepareS3(): Promise<{ jdk: Jdk; classPath: string } | { absent: string }> {
  const [jdk, maven] = await Promise.all([findJdk(), findMaven()]);
  if (!jdk) return { absent: `no JDK ${minimumJava} or newer is installed` };
  const version = createHash("sha256").update(await readFile(project));
  const cache = path.join(cacheRoot, version.digest("hex").slice(0, 16));
  const known = await readClassPath(cache);
  if (known) return { jdk, classPath: known };
  if (!maven) return { absent: "Maven is not installed" };
  await mkdir(cacheRoot, { recursive: true });
  const output = await mkdtemp(path.join(cacheRoot, "build-"));
  try {
    const file = `-Dmdep.outputFile=${path.join(output, "class-path")}`;
    await promisify(execFile)(
      maven,
      ["--batch-mode", "--quiet", "--file", project, file, "dependency:build-classpath"],
      { env: javaEnvironment(jdk.home), timeout: DOWNLOAD_LIMIT_MS },
    );
    // Another process may have finished first.
    await rename(output, cache).catch(() => undefined);
    const classPath = await readClassPath(cache);
    return classPath ? { jdk, classPath } : { absent: "Maven wrote no class path" };
  } catch (error) {
    const { stdout = "", message } = error as { stdout?: string; message: string };
    const complaint = stdout.split("\n").find((line) => line.includes("ERROR"));
    return { absent: `Maven could not prepare the S3 server: ${complaint ?? message}` };
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

/** Undefined if it is missing, or if jars have disappeared since. */
async function readClassPath(cache: string): Promise<string | undefined> {
  try {
    const jars = (await readFile(path.join(cache, "class-path"), "utf8")).trim();
    await Promise.all(jars.split(path.delimiter).map((jar) => access(jar)));
    return jars;
  } catch {
    return undefined;
  }
}
