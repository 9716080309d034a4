/** `npm run start:web` */
import "#runtime/lifecycle/compile-cache.ts";

const { runProcess } = await import("#http/run-process.ts");
const { composeWeb } = await import("./composition.ts");
const { readWebConfig } = await import("./config.ts");

await runProcess({
  name: "web",
  readConfig: readWebConfig,
  async start(config, { log, lifecycle }) {
    const web = await composeWeb(config, log);
    lifecycle.onStop("web", () => web.stop());
    return web;
  },
});
