import { randomBytes } from "node:crypto";
import { createLifecycle, stopOnSignals } from "#kit/lifecycle/lifecycle.ts";
import { createLogger } from "#kit/log.ts";
import { buildProjectorApp } from "./app.ts";
import { composeProjector } from "./composition.ts";
import { readProjectorConfig } from "./config.ts";

const config = readProjectorConfig();
const log = createLogger({ name: "projector", level: config.logLevel });
const lifecycle = createLifecycle({ log });
stopOnSignals(lifecycle, log);

const projector = await composeProjector(config, { log });
lifecycle.onStop("projector", () => projector.stop());
const { version } = config;
const app = await buildProjectorApp({ projector, tokenKey: randomBytes(32), version, log });
lifecycle.onStop("http", () => app.close());
await projector.start();
await app.listen({ host: config.host, port: config.port });
