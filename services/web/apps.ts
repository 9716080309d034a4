import type { FastifyInstance } from "fastify";
import { buildConsoleApp } from "../../web-admin/server/static.ts";
import { buildSiteApp, type SiteOptions } from "../../web-public/server/app.ts";
import { askForSamples } from "../../web-public/server/samples.ts";
import { askForSitePages } from "../../web-public/server/site-pages.ts";
import type { WebConfig } from "./config.ts";

type Options = Omit<SiteOptions, "distDir" | "trustProxy"> &
  Pick<WebConfig, "siteDir" | "consoleDir" | "trustProxyHops">;

/** The built site and console, ready for requests. */
export async function buildWebApps(
  options: Options,
): Promise<{ site: FastifyInstance; console: FastifyInstance }> {
  const { siteDir, consoleDir, trustProxyHops, productName } = options;
  const site = buildSiteApp({
    ...options,
    distDir: siteDir,
    trustProxy: trustProxyHops,
    samplesBanner: askForSamples(options),
    sitePages: askForSitePages(options),
  });
  await site.ready();
  return { site, console: await buildConsoleApp({ distDir: consoleDir, productName }) };
}
