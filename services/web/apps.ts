import Fastify, { type FastifyInstance } from "fastify";
import { createCounters } from "#http/counters/counters.ts";
import { Caches } from "#operations/caches.ts";
import { logDebug } from "#runtime/log.ts";
import { buildConsoleApp } from "../../web-admin/server/static.ts";
import { buildSiteApp, type SiteOptions } from "../../web-public/server/app.ts";
import { askForSamples } from "../../web-public/server/samples.ts";
import { askForSiteFacts } from "../../web-public/server/site-facts.ts";
import type { WebConfig } from "./config.ts";
import { emptiesCaches } from "./emptied-caches.ts";
import { createPageLimit } from "./page-limit.ts";

type Options = Omit<SiteOptions, "distDir" | "trustProxy"> &
  Pick<WebConfig, "siteDir" | "consoleDir" | "trustProxyHops" | "limits">;

/** The built site and console, ready for requests. */
export async function buildWebApps(
  options: Options,
): Promise<{ site: FastifyInstance; console: FastifyInstance }> {
  const { siteDir, consoleDir, trustProxyHops, productName } = options;
  const ask = askForSiteFacts(options);
  const caches = new Caches();
  const emptied = emptiesCaches(caches, options.log);
  const siteFacts = async () => {
    const facts = await ask();
    logDebug(options.log, facts.debug ?? false);
    emptied(facts);
    return facts;
  };
  const counting = Fastify();
  const counters = await createCounters(counting);
  const onRequest = createPageLimit({ counters, limits: options.limits, siteFacts });
  await counting.ready();
  const site = buildSiteApp({
    ...options,
    distDir: siteDir,
    trustProxy: trustProxyHops,
    onRequest,
    caches,
    samplesBanner: askForSamples(options),
    siteFacts,
  });
  await site.ready();
  return {
    site,
    console: await buildConsoleApp({
      distDir: consoleDir,
      productName,
      onRequest,
      trustProxy: trustProxyHops,
    }),
  };
}
