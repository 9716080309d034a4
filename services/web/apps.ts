import type { FastifyInstance } from "fastify";
import { logDebug } from "#runtime/log.ts";
import { buildConsoleApp } from "../../web-admin/server/static.ts";
import { buildSiteApp, type SiteOptions } from "../../web-public/server/app.ts";
import { askForSamples } from "../../web-public/server/samples.ts";
import { askForSiteFacts } from "../../web-public/server/site-facts.ts";
import type { WebConfig } from "./config.ts";

type Options = Omit<SiteOptions, "distDir" | "trustProxy"> &
  Pick<WebConfig, "siteDir" | "consoleDir" | "trustProxyHops">;

/** The built site and console, ready for requests. */
export async function buildWebApps(
  options: Options,
): Promise<{ site: FastifyInstance; console: FastifyInstance }> {
  const { siteDir, consoleDir, trustProxyHops, productName } = options;
  const ask = askForSiteFacts(options);
  const site = buildSiteApp({
    ...options,
    distDir: siteDir,
    trustProxy: trustProxyHops,
    samplesBanner: askForSamples(options),
    async siteFacts() {
      const facts = await ask();
      logDebug(options.log, facts.debug ?? false);
      return facts;
    },
  });
  await site.ready();
  return { site, console: await buildConsoleApp({ distDir: consoleDir, productName }) };
}
