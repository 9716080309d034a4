/** `npm run start:command-api` */
import { runProcess } from "#http/run-process.ts";
import { addFirstAdmin } from "./account/first-admin.ts";
import { composeCommandApi } from "./composition.ts";
import { readCommandApiConfig } from "./config.ts";

await runProcess({
  name: "command-api",
  readConfig: readCommandApiConfig,
  async start(config, { log, lifecycle, endToRestart }) {
    const service = await composeCommandApi({ ...config, endToRestart }, log);
    lifecycle.onStop("command-api", () => service.stop());
    await service.start();
    if (config.firstAdmin) await addFirstAdmin(service.accounts, config.firstAdmin);
    return service.app;
  },
});
