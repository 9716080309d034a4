import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { SiteFacts } from "#contracts/http/content.ts";
import { type Counters, createCounters } from "#http/counters/counters.ts";
import { createLimits, RateLimited } from "#http/limits.ts";
import { Caches } from "#operations/request-table.ts";
import { logDebug } from "#runtime/log.ts";
import { buildConsoleApp } from "../../web-admin/server/static.ts";
import { buildSiteApp, type SiteOptions } from "../../web-public/server/app.ts";
import { askForSiteFacts } from "../../web-public/server/site-facts.ts";
import type { WebConfig } from "./config.ts";

type Options = Omit<SiteOptions, "distDir" | "trustProxy"> &
  Pick<WebConfig, "siteDir" | "consoleDir" | "trustProxyHops" | "limits">;

/** Builds the site and console apps from the build output, ready for requests. */
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

/** Clears the caches once each time query-api signals that an admin asked for it. */
export function emptiesCaches(
  caches: Caches,
  log: Pick<Logger, "info">,
): (facts: Pick<SiteFacts, "emptied">) => void {
  return ({ emptied }) => {
    // The signal is removed after an hour.
    if (emptied === undefined || emptied === caches.newest) return;
    caches.know(emptied);
    log.info({ removed: caches.clear() }, "the caches were emptied");
  };
}

/** Files that cost no rendering. Without robots.txt, crawlers would stay away for hours. */
const FILES = new Set([
  "/assets/*",
  "/favicon.svg",
  "/favicon.ico",
  "/robots.txt",
  "/admin/assets/*",
  "/admin/favicon.svg",
]);

type PageLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

interface PageLimitOptions {
  readonly counters: Counters;
  /** `off` is for load tests. */
  readonly limits?: "on" | "off" | undefined;
  /** Returns whether admins have lifted the limits. If it rejects, limits apply. */
  readonly siteFacts: () => Promise<Pick<SiteFacts, "unlimited">>;
}

/** Returns a hook that counts requests for anything but build files, and answers 429 if there are too many. */
export function createPageLimit(options: PageLimitOptions): PageLimit {
  let areLifted = false;
  const limits = createLimits(options.counters, options.limits !== "off", () => {
    // On every request: a rejected one renders no page, which would otherwise ask.
    options.siteFacts().then(
      ({ unlimited = false }) => {
        areLifted = unlimited;
      },
      () => {
        areLifted = false;
      },
    );
    return areLifted;
  });
  return async (request, reply) => {
    if (FILES.has(request.routeOptions.url ?? "")) return undefined;
    try {
      await limits.byAddress(request, "page");
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      const { retryAfter } = error;
      return reply
        .code(429)
        .header("retry-after", retryAfter)
        .header("cache-control", "no-store")
        .header("x-robots-tag", "noindex")
        .type("text/html; charset=utf-8")
        .send(tooManyRequests(retryAfter, (reply as Partial<CspReply>).cspNonce?.style));
    }
  };
}

interface CspReply {
  /** Nonce that the page's CSP requires on inline styles. */
  readonly cspNonce: { readonly style: string };
}

/** Self-contained, since otherwise the browser would next request files and rendering. */
const tooManyRequests = (seconds: number, nonce = "") => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Too many requests</title>
<style nonce="${nonce}">body{max-width:36rem;margin:4rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}</style>
<main>
<h1>Too many requests</h1>
<p>Your network loaded many pages in a short time. Wait ${seconds === 1 ? "1 second" : `${seconds} seconds`}, then reload this page.</p>
</main>
</html>
`;
