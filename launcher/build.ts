/** `npm run build`: builds the web apps whose sources changed since their last build. */
import { explainFailure } from "./explain-failure.ts";
import { buildWebApps } from "./web-build.ts";

try {
  await buildWebApps((line) => console.log(line));
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 1;
}
