/** `npm run start:mailer` */
import { runProcess } from "#http/run-process.ts";
import { createWorkerService } from "#http/worker-service.ts";
import { composeMailer } from "./composition.ts";
import { readMailerConfig } from "./config.ts";

await runProcess({
  name: "mailer",
  readConfig: readMailerConfig,
  async start(config, { log, lifecycle, endToRestart }) {
    const mailer = await composeMailer({ ...config, endToRestart }, log, { waitForLog: true });
    lifecycle.onStop("mailer", () => mailer.stop());
    const { checks, metrics: registry } = mailer;
    const { version } = config;
    const app = await createWorkerService({ name: "mailer", version, log, checks, registry });
    lifecycle.onStop("http", () => app.close());
    await mailer.start();
    return app;
  },
});
