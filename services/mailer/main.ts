/** `npm run start:mailer` */
import { runProcess } from "#http/run-process.ts";
import { buildMailerApp } from "./app.ts";
import { composeMailer } from "./composition.ts";
import { readMailerConfig } from "./config.ts";

await runProcess({
  name: "mailer",
  readConfig: readMailerConfig,
  async start(config, { log, lifecycle, endToRestart }) {
    const mailer = await composeMailer({ ...config, endToRestart }, log, { waitForLog: true });
    lifecycle.onStop("mailer", () => mailer.stop());
    const app = await buildMailerApp({ mailer, version: config.version, log });
    lifecycle.onStop("http", () => app.close());
    await mailer.start();
    return app;
  },
});
