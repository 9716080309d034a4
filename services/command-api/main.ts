/** `npm run start:command-api` */
import "#runtime/lifecycle/compile-cache.ts";

const { runProcess } = await import("#http/run-process.ts");
const { addFirstAdmin } = await import("./account/first-admin.ts");
const { composeCommandApi } = await import("./composition.ts");
const { readCommandApiConfig } = await import("./config.ts");

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
