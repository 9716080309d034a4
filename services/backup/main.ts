/** `npm run start:backup` */
import { runProcess } from "#http/run-process.ts";
import { createWorkerService } from "#http/worker-service.ts";
import { composeBackup } from "./composition.ts";
import { readBackupConfig } from "./config.ts";

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
