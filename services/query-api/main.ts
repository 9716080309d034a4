/** `npm run start:query-api` */
import { runProcess } from "#http/run-process.ts";
import { composeQueryApi } from "./composition.ts";
import { readQueryApiConfig } from "./config.ts";

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
