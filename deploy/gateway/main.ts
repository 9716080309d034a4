/** `npm run start:gateway` */
import { runProcess } from "#http/run-process.ts";
import { readGatewayConfig } from "./config.ts";
import { composeGateway } from "./gateway.ts";

await runProcess({
  name: "gateway",
  readConfig: readGatewayConfig,
  async start(config, { log, lifecycle }) {
    const gateway = await composeGateway(config, log);
    lifecycle.onStop("gateway", () => gateway.stop());
    return gateway;
  },
});
