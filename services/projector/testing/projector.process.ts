/** The projector as a process. The first argument holds a test's settings as JSON. */
import { runProcess } from "#http/run-process.ts";
import { createWorkerService } from "#http/worker-service.ts";
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
    const { checks, registry } = projector;
    const { version } = config;
    const app = await createWorkerService({ name: "projector", version, log, checks, registry });
    lifecycle.onStop("http", () => app.close());
    await projector.start();
    return app;
  },
});
