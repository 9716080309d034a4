/** `npm run start:projector` */
import { runProcess } from "#http/run-process.ts";
import { createWorkerService } from "#http/worker-service.ts";
import { composeProjector } from "./composition.ts";
import { readProjectorConfig } from "./config.ts";

await runProcess({
  name: "projector",
  readConfig: readProjectorConfig,
  async start(config, { log, lifecycle, endToRestart }) {
    const projector = await composeProjector({ ...config, endToRestart }, { log });
    lifecycle.onStop("projector", () => projector.stop());
    const { checks, registry } = projector;
    const { version } = config;
    const app = await createWorkerService({ name: "projector", version, log, checks, registry });
    lifecycle.onStop("http", () => app.close());
    await projector.start();
    return app;
  },
});
