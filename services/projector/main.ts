/** `npm run start:projector` */
import { runProcess } from "#http/run-process.ts";
import { buildProjectorApp } from "./app.ts";
import { composeProjector } from "./composition.ts";
import { readProjectorConfig } from "./config.ts";

await runProcess({
  name: "projector",
  readConfig: readProjectorConfig,
  async start(config, { log, lifecycle, endToRestart }) {
    const projector = await composeProjector({ ...config, endToRestart }, { log });
    lifecycle.onStop("projector", () => projector.stop());
    const app = await buildProjectorApp({ projector, version: config.version, log });
    lifecycle.onStop("http", () => app.close());
    await projector.start();
    return app;
  },
});
