/** `npm run start:web` */
import { runProcess } from "#http/run-process.ts";
import { composeWeb } from "./composition.ts";
import { readWebConfig } from "./config.ts";

await runProcess({
  name: "web",
  readConfig: readWebConfig,
  async start(config, { log, lifecycle }) {
    const web = await composeWeb(config, log);
    lifecycle.onStop("web", () => web.stop());
    return web;
  },
});
