import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** Total time limit for the package registry, in milliseconds. */
export const MAX_MS = 5_000;
/** Longest accepted answer, in characters. A few hundred packages need far less. */
const MAX_CHARACTERS = 2_000_000;
const SEVERITIES = ["low", "moderate", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Versions by the package's name. */
export type Packages = Readonly<Record<string, readonly string[]>>;

/** A package with a publicly known vulnerability. */
export interface FaultyPackage {
  readonly name: string;
  readonly severity: Severity;
}

/** Reads the installed runtime packages from `package-lock.json`. */
export async function installedPackages(
  lockFile: string = path.resolve(import.meta.dirname, "../../package-lock.json"),
): Promise<Packages> {
  const { packages } = JSON.parse(await readFile(lockFile, "utf8")) as {
    packages: Record<string, { version?: string; name?: string; dev?: true; link?: true }>;
  };
  const found: Record<string, string[]> = {};
  for (const [place, { version, name, dev, link }] of Object.entries(packages)) {
    if (place === "" || version === undefined || dev || link) continue;
    const called = name ?? place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    found[called] = [...new Set([...(found[called] ?? []), version])];
  }
  return found;
}

/** The registry that npm is configured to use, which may be a mirror. */
async function npmRegistry(signal: AbortSignal): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run("npm", ["config", "get", "registry"], { signal });
  return stdout.trim().replace(/\/$/, "");
}

/**
 * Asks the package registry which of these versions have publicly known vulnerabilities, as `npm audit` does.
 * Only names and versions are sent.
 * @param options.registry npm's configured registry if absent.
 * @param options.unwanted aborts the request.
 * @returns the most severe vulnerability of each package, the worst package first.
 * @throws if it does not answer in time, or answers with anything else.
 */
export async function faultyPackages(
  packages: Packages,
  options: {
    readonly registry?: string;
    readonly mostMs?: number;
    readonly unwanted?: AbortSignal;
  } = {},
): Promise<FaultyPackage[]> {
  const { registry, mostMs = MAX_MS, unwanted } = options;
  const late = AbortSignal.timeout(mostMs);
  const signal = unwanted ? AbortSignal.any([late, unwanted]) : late;
  const address = registry ?? (await npmRegistry(signal));
  const response = await fetch(`${address}/-/npm/v1/security/advisories/bulk`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(packages),
    redirect: "error",
    signal,
  });
  if (!response.ok) throw new Error(`the package registry answered ${response.status}`);
  const found = JSON.parse(await textOf(response)) as Record<string, { severity?: unknown }[]>;
  const worst = Object.keys(packages).flatMap((name) => {
    const grades = Object.hasOwn(found, name) ? found[name] : undefined;
    if (!Array.isArray(grades) || grades.length === 0) return [];
    return [{ name, grade: Math.max(...grades.map(({ severity }) => gradeOf(severity))) }];
  });
  return worst
    .toSorted((a, b) => b.grade - a.grade || a.name.localeCompare(b.name, "en"))
    .map(({ name, grade }) => ({ name, severity: SEVERITIES[grade] ?? "critical" }));
}

/** An unknown severity counts as the lowest. */
function gradeOf(severity: unknown): number {
  return Math.max(0, SEVERITIES.indexOf(severity as Severity));
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_CHARACTERS) throw new Error("the package registry answered too much");
  }
  return text + decoder.decode();
}
