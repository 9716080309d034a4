/** `npm run start:projector` */
import "#runtime/lifecycle/compile-cache.ts";

const { runProcess } = await import("#http/run-process.ts");
const { buildProjectorApp } = await import("./app.ts");
const { composeProjector } = await import("./composition.ts");
const { readProjectorConfig } = await import("./config.ts");

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
