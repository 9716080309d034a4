import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Listener } from "#http/run-process.ts";
import { createSharedPort } from "#http/shared-port.ts";
import { Upstreams } from "#http/upstreams.ts";
import { createWorkerService } from "#http/worker-service.ts";
import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";
import { buildWebApps } from "./apps.ts";
import type { WebConfig } from "./config.ts";
import { buildDocsApp, createCommandFetch, createQueryFetch, QUERY_API } from "./docs.app.ts";

/** Milliseconds that pages being rendered get to finish when the process stops. */
const DRAIN_MS = 4000;

export interface Web extends Listener {
  stop(): Promise<void>;
}

/**
 * Serves the two built web apps on one port: the console's files under /admin, the API docs, the
 * operations routes that every process has, and the site's pages everywhere else.
 * @throws {CannotStart} if an app is not built.
 */
export async function composeWeb(config: WebConfig, log: Logger): Promise<Web> {
  for (const built of [`${config.siteDir}/client/manifest.json`, `${config.consoleDir}/index.html`])
    if (!existsSync(built))
      throw new CannotStart(`The web apps are not built (${built} is missing): run npm run build.`);
  const queryApis = new Upstreams(config.queryUrls);
  const commandApis = new Upstreams(config.commandUrls);
  const built = await buildWebApps({
    ...config,
    queryUrl: QUERY_API,
    fetch: createQueryFetch(queryApis),
    commandFetch: createCommandFetch(commandApis),
    log,
  });
  const checks = {
    query_api: async () => ({ ok: queryApis.states().some(({ ok }) => ok) }),
  };
  const operations = await createWorkerService({
    name: "web",
    version: config.version,
    log,
    checks,
    trustProxyHops: config.trustProxyHops,
    publicUrl: config.publicUrl,
  });
  await operations.ready();

  const docs = await buildDocsApp({ ...config, services: [queryApis, commandApis] });
  const apps = { ...built, docs, operations };
  const routing = (request: IncomingMessage, response: ServerResponse) => {
    const start = performance.now();
    const name = appOf(request.url ?? "/");
    response.once("close", () => {
      const labels = { method: request.method ?? "GET", route: name, status: response.statusCode };
      // The operations app already records its own requests.
      if (name !== "operations")
        operations.metrics.record(labels, (performance.now() - start) / 1000);
    });
    apps[name].routing(request, response);
  };
  const port = createSharedPort(routing, { tls: config.tls });
  return {
    routing,
    async listen(address) {
      queryApis.start();
      commandApis.start();
      const bound = await port.listen(address);
      const scheme = config.tls ? "https" : "http";
      log.info(`Server listening at ${scheme}://${address.host}:${bound.port}`);
    },
    async stop() {
      await port.drain(DRAIN_MS);
      await Promise.all([queryApis.stop(), commandApis.stop()]);
      await Promise.all(Object.values(apps).map((app) => app.close()));
    },
  };
}

/** Returns which app handles a URL. */
export function appOf(url: string): "site" | "console" | "docs" | "operations" {
  const path = url.split("?", 1)[0] ?? "/";
  const isIn = (folder: string) => path === folder || path.startsWith(`${folder}/`);
  if (["/healthz", "/readyz", "/metrics"].includes(path)) return "operations";
  if (isIn("/docs")) return "docs";
  return isIn("/admin") ? "console" : "site";
}
