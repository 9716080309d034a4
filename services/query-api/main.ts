/** `npm run start:query-api` */
import "#runtime/lifecycle/compile-cache.ts";

const { runProcess } = await import("#http/run-process.ts");
const { composeQueryApi } = await import("./composition.ts");
const { readQueryApiConfig } = await import("./config.ts");

await runProcess({
  name: "query-api",
  readConfig: readQueryApiConfig,
  async start(config, { log, lifecycle, endToRestart }) {
    const service = await composeQueryApi({ ...config, endToRestart }, log);
    lifecycle.onStop("query-api", () => service.stop());
    await service.start();
    return service.app;
  },
});
