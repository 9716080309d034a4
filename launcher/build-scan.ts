import { faultyPackages, installedPackages } from "#operations/advisories.ts";
import { readBuildStamp, writeBuildStamp } from "#operations/build-stamp.ts";

/**
 * Asks the package registry which of the installed packages have known faults, and adds the answer to the stamp of the
 * last build. A registry that does not answer is no reason for a build to fail.
 */
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
    for (const { name, severity } of found) say(`${name} has a known fault (${severity})`);
    const scan = { packages: Object.keys(packages).length, faulty: found };
    await writeBuildStamp({ ...stamp, scan }, root);
  } catch {
    say("the package registry could not be asked for known faults");
  }
}
