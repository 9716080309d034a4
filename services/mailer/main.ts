/** `npm run start:mailer` */
import "#runtime/lifecycle/compile-cache.ts";

const { runProcess } = await import("#http/run-process.ts");
const { buildMailerApp } = await import("./app.ts");
const { composeMailer } = await import("./composition.ts");
const { readMailerConfig } = await import("./config.ts");

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
