import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import zlib, { constants } from "node:zlib";
import { writeBuildStamp } from "#operations/build-stamp.ts";
import { packageVersion } from "#runtime/config/process-settings.ts";
import { errorCode, Refusal } from "#runtime/lifecycle/refusal.ts";
import { buildEnvironment } from "./config.ts";
import { SOURCES_FILE, stateOf } from "./programs.js";

const projectRoot = path.resolve(import.meta.dirname, "..");
const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];

/**
 * An app and the Vite runs that build it. `out` is a folder in its dist. `brotli` is the quality (0 to 11)
 * used to precompress its text files.
 */
export type App = {
  name: string;
  folder: string;
  /** Folders of other sources it may import. */
  sources: string[];
  builds: { out: string; args: string[]; brotli?: number }[];
};

const webSources = ["contracts/src", "packages/theme", "packages/session-client"];

export const webApps: App[] = [
  {
    name: "site",
    folder: "web-public",
    sources: webSources,
    builds: [
      { out: "client", args: [], brotli: 11 },
      { out: "server", args: ["--ssr"] },
    ],
  },
  // 11 makes the files 2% smaller but takes twice as long.
  {
    name: "console",
    folder: "web-admin",
    sources: webSources,
    builds: [{ out: ".", args: [], brotli: 10 }],
  },
];

/** The services and the launcher, each bundled with its packages into a few files (run.js). */
export const programs: App = {
  name: "services",
  folder: "launcher",
  // The servers of both apps import some browser sources, such as paths.
  sources: ["contracts/src", "packages", "services", "web-public", "web-admin"],
  builds: [{ out: ".", args: ["--ssr"] }],
};

/** What a build was made from. */
export type Sources = {
  /** SHA-256 (hex) over the names and contents of the files. */
  hash: string;
  /** `stateOf` each file, by its path in the project. */
  files: Record<string, string>;
};

type Build = Sources & { isQuick: boolean };

export type BuildOptions = {
  root?: string;
  apps?: App[];
  /** For a start: compresses text files quickly, leaving them a tenth larger until a build without it. */
  isQuick?: boolean;
  signal?: AbortSignal | undefined;
};

/** Brotli quality while a start waits. */
const QUICK_BROTLI = 5;

const sharedFiles = ["package-lock.json", "tsconfig.json"];

/**
 * Builds the apps whose sources changed since their last build, each in its own process. A build is
 * written beside `dist` and replaces it when complete.
 * @param say called with a line about each app that is built.
 * @returns whether any app was built.
 * @throws {Refusal} if a build fails or its folder is not writable.
 */
export async function buildApps(
  say: (line: string) => void,
  options: BuildOptions = {},
): Promise<boolean> {
  const { root = projectRoot, apps = [programs, ...webApps], isQuick = false, signal } = options;
  const results = await Promise.allSettled(
    apps.map((app) => buildWhenChanged(root, app, say, isQuick, signal)),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
  const isBuilt = results.some((result) => result.status === "fulfilled" && result.value);
  if (isBuilt)
    await writeBuildStamp({ version: packageVersion(), built_at: new Date().toISOString() }, root);
  return isBuilt;
}

async function buildWhenChanged(
  root: string,
  app: App,
  say: (line: string) => void,
  isQuick: boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const dist = path.join(root, app.folder, "dist");
  const record = path.join(dist, SOURCES_FILE);
  const sources = await readSources(root, app);
  const built: Build | undefined = await readFile(record, "utf8")
    .then(JSON.parse)
    .catch(() => undefined);
  if (built?.hash === sources.hash) {
    if (built.isQuick && !isQuick) await precompress(app, dist, false);
    const now: Build = { ...sources, isQuick: built.isQuick && isQuick };
    // If the folder is read-only, programs run from their sources.
    if (!isDeepStrictEqual(built, now))
      await writeFile(record, JSON.stringify(now)).catch(() => undefined);
    return false;
  }

  say(`building the ${app.name}${built ? ", whose sources changed" : ""}`);
  const started = performance.now();
  const staging = path.join(root, app.folder, `.dist-${process.pid}`);
  try {
    await removeTornBuilds(path.join(root, app.folder));
    await mkdir(staging, { recursive: true });
    for (const { out, args } of app.builds)
      await runVite(root, app, ["--outDir", path.join(staging, out), ...args], signal);
    await precompress(app, staging, isQuick);
    await writeFile(path.join(staging, SOURCES_FILE), JSON.stringify({ ...sources, isQuick }));
    await swap(staging, dist);
  } catch (error) {
    if (["EACCES", "EROFS", "EPERM"].includes(errorCode(error) ?? ""))
      throw new Refusal(
        `The ${app.name} must be built, and ${path.join(root, app.folder)} cannot be written to: make it writable for this user.`,
      );
    if (errorCode(error) === "ENOSPC")
      throw new Refusal(
        `The ${app.name} cannot be built because the disk is full: free some space.`,
      );
    throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  say(`built the ${app.name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return true;
}

/** Reads everything that the app's build depends on. */
export async function readSources(root: string, app: App): Promise<Sources> {
  const names = [...sharedFiles];
  for (const folder of [app.folder, ...app.sources]) {
    const found = glob("**/*", {
      cwd: path.join(root, folder),
      withFileTypes: true,
      exclude: ({ name }) =>
        /^(dist|node_modules|\.dist-.*)$/.test(name) || /\.test\.tsx?$/.test(name),
    });
    for await (const entry of found)
      if (entry.isFile()) names.push(path.relative(root, path.join(entry.parentPath, entry.name)));
  }
  const hash = createHash("sha256");
  const files: Record<string, string> = {};
  for (const name of names.map((name) => name.split(path.sep).join("/")).sort()) {
    const file = path.join(root, name);
    files[name] = stateOf(file);
    const content = await readFile(file);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return { hash: hash.digest("hex"), files };
}

/** Writes a `.br` and a `.gz` file beside each text file where that pays off, replacing old ones. */
async function precompress(app: App, dist: string, isQuick: boolean): Promise<void> {
  const compress = async (file: string, quality: number) => {
    const content = await readFile(file);
    if (content.length < 512) return;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    await Promise.all([
      brotli(content, { params }).then((data) => replaceFile(`${file}.br`, data)),
      gzip(content, { level: 9 }).then((data) => replaceFile(`${file}.gz`, data)),
    ]);
  };
  for (const { out, brotli: quality } of app.builds) {
    if (!quality) continue;
    const folder = path.join(dist, out);
    const files = (await readdir(folder, { recursive: true })).filter((name) =>
      /\.(js|css|svg|txt)$/.test(name),
    );
    await Promise.all(
      files.map((name) => compress(path.join(folder, name), isQuick ? QUICK_BROTLI : quality)),
    );
  }
}

/** Atomic, because the file may be in use. */
async function replaceFile(file: string, data: Uint8Array): Promise<void> {
  await writeFile(`${file}.new`, data);
  await rename(`${file}.new`, file);
}

/** Removes the remains of killed builds. A build whose process is still running is left alone. */
async function removeTornBuilds(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^\.dist-(\d+)/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid)))
      await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Replaces `dist` with `staging`, even if another process is doing the same. */
async function swap(staging: string, dist: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const old = `${staging}-old${attempt}`;
    await rename(dist, old).catch((error) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
    try {
      await rename(staging, dist);
      return;
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "") || attempt === 5) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}

function runVite(
  root: string,
  app: App,
  args: string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const vite = path.join(projectRoot, "node_modules/vite/bin/vite.js");
  if (!existsSync(vite))
    throw new Refusal(
      `Building the ${app.name} requires development dependencies: run npm ci --include=dev.`,
    );
  const config = path.join(root, app.folder, "vite.config.ts");
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        vite,
        "build",
        "--config",
        config,
        "--configLoader",
        "native",
        "--logLevel",
        "warn",
        "--emptyOutDir",
        ...args,
      ],
      { cwd: root, env: buildEnvironment(), stdio: ["ignore", "pipe", "pipe"], signal },
    );
    const endWithThisProcess = () => child.kill("SIGTERM");
    process.on("exit", endWithThisProcess);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("exit", endWithThisProcess);
      if (code === 0) resolve();
      else
        reject(
          new Refusal(`The ${app.name} could not be built (${signal ?? code}).\n${output.trim()}`),
        );
    });
  });
}
