import { createLifecycle, stopOnSignals } from "#kit/lifecycle/lifecycle.ts";
import { createLogger } from "#kit/log.ts";
import { composeQueryApi } from "./composition.ts";
import { readQueryApiConfig } from "./config.ts";

const config = readQueryApiConfig();
const log = createLogger({ name: "query-api", level: config.logLevel });
const lifecycle = createLifecycle({ log });
stopOnSignals(lifecycle, log);

const service = await composeQueryApi(config, log);
lifecycle.onStop("query-api", () => service.stop());
await service.start();
await service.app.listen({ host: config.host, port: config.port });
