/**
 * `npm run build`: builds site, console and services if their sources changed and, if allowed, checks packages
 * for known vulnerabilities.
 */

import { faultyPackages, installedPackages } from "#operations/advisories.ts";
import { readBuildStamp, writeBuildStamp } from "#operations/build-stamp.ts";
import { buildApps } from "./build-apps.ts";
import { readLauncherConfig } from "./config.ts";
import { explainFailure } from "./explain-failure.ts";

/** Adds known vulnerabilities of installed packages to the build's stamp, if the package registry answers. */
export async function scanBuild(
  say: (line: string) => void,
  faulty: typeof faultyPackages = faultyPackages,
  root?: string,
): Promise<void> {
  const stamp = await readBuildStamp(root);
  if (!stamp) return;
  try {
    const packages = await installedPackages();
    const found = await faulty(packages);
    for (const { name, severity } of found) say(`${name} has a known vulnerability (${severity})`);
    const scan = { packages: Object.keys(packages).length, faulty: found };
    await writeBuildStamp({ ...stamp, scan }, root);
  } catch {
    say("could not query the package registry for known vulnerabilities");
  }
}

try {
  const say = (line: string) => console.log(line);
  const { UPDATE_CHECK } = readLauncherConfig().variables;
  await buildApps(say);
  if (UPDATE_CHECK === "on") await scanBuild(say);
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 1;
}
