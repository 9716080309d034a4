/**
 * `npm run build`: builds the web apps whose sources changed since their last build, and asks which packages have known
 * faults where it may.
 */
import { scanBuild } from "./build-scan.ts";
import { readLauncherConfig } from "./config.ts";
import { explainFailure } from "./explain-failure.ts";
import { buildWebApps } from "./web-build.ts";

try {
  const say = (line: string) => console.log(line);
  const { UPDATE_CHECK } = readLauncherConfig().variables;
  await buildWebApps(say);
  if (UPDATE_CHECK === "on") await scanBuild(say);
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 1;
}
