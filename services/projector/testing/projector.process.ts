/** The projector as a process. The first argument holds a test's settings as JSON. */
import { runProcess } from "#http/run-process.ts";
import { buildProjectorApp } from "../app.ts";
import { composeProjector } from "../composition.ts";
import { readProjectorConfig } from "../config.ts";
import type { ProcessorSettings } from "../daemon/processor.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as ProcessorSettings;

await runProcess({
  name: "projector",
  readConfig: readProjectorConfig,
  async start(config, { log, lifecycle }) {
    const projector = await composeProjector(config, { log, settings });
    lifecycle.onStop("projector", () => projector.stop());
    const app = await buildProjectorApp({ projector, version: config.version, log });
    lifecycle.onStop("http", () => app.close());
    await projector.start();
    return app;
  },
});
