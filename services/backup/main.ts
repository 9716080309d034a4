/** `npm run start:backup` */
import "#runtime/lifecycle/compile-cache.ts";

const { runProcess } = await import("#http/run-process.ts");
const { createWorkerService } = await import("#http/worker-service.ts");
const { composeBackup } = await import("./composition.ts");
const { readBackupConfig } = await import("./config.ts");

await runProcess({
  name: "backup",
  readConfig: readBackupConfig,
  async start(config, { log, lifecycle, endToRestart }) {
    const service = await composeBackup({ ...config, endToRestart }, log);
    lifecycle.onStop("backup", () => service.stop());
    const { checks } = service;
    const app = await createWorkerService({ name: "backup", version: config.version, log, checks });
    lifecycle.onStop("http", () => app.close());
    service.start();
    return app;
  },
});
