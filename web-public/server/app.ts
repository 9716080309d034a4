import path from "node:path";
import { pathToFileURL } from "node:url";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestAsyncHookHandler,
} from "fastify";
import type { SiteFacts } from "#contracts/http/content.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { FILE_BYTES, MEGABYTE } from "#contracts/report/evidence-rules.ts";
import { readTheme } from "#theme/chosen-theme.ts";
import { type PageProblem, PROBLEMS } from "../src/features/errors/page-problem.ts";
import { clientFiles, readManifest } from "./client-files.ts";
import { pictureRoutes } from "./found/pictures.ts";
import { robotsTxt, sitemapRoutes } from "./found/sitemaps.ts";
import { plainPostRoutes } from "./plain-posts.ts";
import type { RenderRequest, render as renderPage } from "./render.tsx";
import { acceptedEncoding, encode, securityHeaders } from "./security-headers.ts";
import { lastKnown } from "./site-facts.ts";

export interface SiteOptions {
  /** Origin of query-api's HTTP interface, such as `http://127.0.0.1:3000`. */
  readonly queryUrl: string;
  /** Public origin of the site, used in canonical links. */
  readonly publicUrl: string;
  readonly productName: string;
  readonly supportEmail: string;
  /** Folder with the output of both builds, `client/` and `server/`. */
  readonly distDir: string;
  /** The facts for every page. Called for each, so it should be quick. */
  readonly siteFacts?: () => Promise<SharedFacts>;
  /** Registers the site's in-memory caches, to be cleared when an admin asks. */
  readonly caches?: { add(cache: { clear(): number }): unknown };
  /** Number of proxies in front of the site whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: number;
  readonly log: FastifyBaseLogger;
  /** Called before each request, and may answer it. */
  readonly onRequest?: onRequestAsyncHookHandler | undefined;
  /** Sends the calls to query-api; the global `fetch` if absent. */
  readonly fetch?: typeof globalThis.fetch;
  /** Sends the calls to command-api, whatever the origin in their URLs; `fetch` if absent. */
  readonly commandFetch?: typeof globalThis.fetch;
}

/** Facts shown on every page. */
type SharedFacts = Omit<SiteFacts, "terms_version">;
/** Used until query-api has answered for the first time. */
const NO_FACTS: SharedFacts = { pages: [], max_file_size: FILE_BYTES / MEGABYTE };

const YEAR_MS = 365 * 24 * 3600 * 1000;
/** Milliseconds that a page waits for query-api. */
const QUERY_TIMEOUT_MS = 10_000;
/** A page without a loader, in whose place errors that belong to no page are rendered. */
const BARE_PAGE = "/login";

/** Status for requests whose client has disconnected, as in nginx's logs. */
const CLIENT_GONE = 499;

interface Failure extends PageProblem {
  readonly status: number;
}

/**
 * Builds the public site: the build's files, and server-rendered pages. `ready()` rejects with an explanation if
 * the build is missing.
 */
export function buildSiteApp(options: SiteOptions): FastifyInstance {
  const { log, trustProxy, caches, siteFacts } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, "");
  const found = {
    queryUrl: options.queryUrl.replace(/\/+$/, ""),
    publicUrl,
    productName: options.productName,
    timeoutMs: QUERY_TIMEOUT_MS,
    fetch: options.fetch,
  };
  const robots = robotsTxt(publicUrl);
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy > 0 && ((_address: string, hop: number) => hop < trustProxy),
    // Three routes accept forms, with their own limits. Reject longer bodies before they are parsed
    // (docs/limits.md).
    bodyLimit: 2048,
    routerOptions: { maxParamLength: 2000 },
    rewriteUrl: ({ url = "/" }) => (isAddress(url) ? url : BAD_ADDRESS),
  });
  let pages: Pages | undefined;

  async function answerFailure(
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const status = error.statusCode && error.statusCode >= 400 ? error.statusCode : 500;
    if (status >= 500) log.error({ err: error }, "page failed");
    const failure = status >= 500 ? BROKEN : { ...(FAILURES[status] ?? NOT_UNDERSTOOD), status };
    try {
      if (!pages) throw error;
      return await pages.send(request, reply, failure);
    } catch {
      return reply.code(status).type("text/plain; charset=utf-8").send(failure.heading);
    }
  }

  app.register(helmet, securityHeaders(publicUrl));
  if (options.onRequest) app.addHook("onRequest", options.onRequest);
  app.register(fastifyStatic, {
    root: path.join(options.distDir, "client", "assets"),
    prefix: "/assets/",
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_MS,
    decorateReply: true,
  });
  app.register(async (site) => {
    pages = await loadPages({ ...options, publicUrl });
    const { send } = pages;
    site.get("/favicon.svg", (_request, reply) =>
      reply.sendFile("favicon.svg", path.join(options.distDir, "client"), { maxAge: 86_400_000 }),
    );
    site.get("/favicon.ico", (_request, reply) => reply.redirect("/favicon.svg", 301));
    site.get("/robots.txt", (_request, reply) => reply.type("text/plain").send(robots));
    sitemapRoutes(site, found);
    await pictureRoutes(site, { ...found, ...omitUndefined({ caches, siteFacts }) });
    site.get(BAD_ADDRESS, (request, reply) => send(request, reply, NOT_UNDERSTOOD));
    await site.register((forms) =>
      plainPostRoutes(forms, publicUrl, (request, reply, form) =>
        send(request, reply, undefined, form),
      ),
    );
    site.get("/", (request, reply) => send(request, reply));
    site.get("/*", (request, reply) => send(request, reply));
  });
  app.addHook("onResponse", async (request, reply) => {
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "request",
    );
  });
  app.setErrorHandler<FastifyError>(answerFailure);
  app.setNotFoundHandler((request, reply) => {
    if (!pages) throw new Error("The site is not ready");
    if (request.method === "GET" || request.method === "HEAD") {
      return pages.send(request, reply, NO_FILE);
    }
    return pages.send(request, reply.header("allow", "GET, HEAD"), NOT_ALLOWED);
  });
  return app;
}

/** Replaces URLs that aren't paths, or that the router would reject without a page. */
const BAD_ADDRESS = "/bad-address";

function isAddress(url: string): boolean {
  try {
    decodeURI(url.split("?", 1)[0] ?? "");
    return url.startsWith("/");
  } catch {
    return false;
  }
}

const BROKEN: Failure = { status: 500, ...PROBLEMS[500] };
const NOT_UNDERSTOOD: Failure = { status: 400, ...PROBLEMS[400] };
const NO_FILE: Failure = { status: 404, ...PROBLEMS[404] };
const NOT_ALLOWED: Failure = {
  status: 405,
  heading: "This page is read-only",
  text: "Nothing was sent. Please use the form on the page.",
};
const FAILURES: Readonly<Record<number, PageProblem>> = {
  403: {
    heading: "This form was not sent from our site",
    text: "Nothing was sent. Please open the page again and use the form on it.",
  },
  429: {
    heading: "Too many submissions",
    text: "Nothing was sent. Please wait a minute and reload this page. Your browser will then send the form again.",
  },
  413: {
    heading: "The form is too long",
    text: "Nothing was sent. Please go back and shorten what you wrote.",
  },
};

interface Pages {
  /** Sends the page at this URL, or a failure's page. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    failure?: Failure,
    form?: string,
  ): Promise<FastifyReply>;
}

async function loadPages(options: SiteOptions): Promise<Pages> {
  const { distDir, log } = options;
  const { files, stylesheets } = clientFiles(await readManifest(distDir));
  const entry = pathToFileURL(path.join(distDir, "server", "entry.js"));
  const { render } = (await import(entry.href)) as { render: typeof renderPage };

  const siteFacts = lastKnown<SharedFacts>(options.siteFacts, NO_FACTS, (err) =>
    log.warn({ err }, "could not read the site facts"),
  );

  return {
    async send(request, reply, failure, form) {
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const facts = await siteFacts();
      const asked: RenderRequest = {
        url: failure ? BARE_PAGE : request.url,
        form,
        cookies: request.headers.cookie,
        visitorAddress: request.ip,
        signal: gone.signal,
        config: {
          productName: options.productName,
          supportEmail: facts.support_email ?? options.supportEmail,
          publicUrl: options.publicUrl,
          samples: facts.samples ?? false,
          pages: facts.pages,
          maxFileSize: facts.max_file_size,
          ...omitUndefined({ maintenance: facts.maintenance }),
          theme: readTheme(request.headers.cookie),
          stylesheets,
        },
        files,
        nonce: reply.cspNonce.script,
        queryUrl: options.queryUrl.replace(/\/+$/, ""),
        timeoutMs: QUERY_TIMEOUT_MS,
        fetch: options.fetch,
        commandFetch: options.commandFetch,
        ...omitUndefined({ failure }),
        onFault: (fault) =>
          log.warn({ status: fault.status, code: fault.code, err: fault.cause }, "query-api fault"),
        onError: (err) => log.error({ err }, "page failed"),
      };
      const rendered = await render(asked).catch((error: unknown) => {
        if (gone.signal.aborted) return undefined;
        throw error;
      });
      if (!rendered) return reply.code(CLIENT_GONE).send();
      if (rendered.kind === "redirect") return reply.redirect(rendered.location, rendered.status);
      if (facts.samples || rendered.status >= 400) reply.header("x-robots-tag", "noindex");
      reply
        .code(rendered.status)
        // The response to a form contains what was typed.
        .header("cache-control", form === undefined ? "private, no-cache" : "no-store")
        .headers(rendered.headers)
        .header("vary", "accept-encoding, cookie")
        .type("text/html; charset=utf-8");
      const encoding = acceptedEncoding(request.headers["accept-encoding"]);
      if (!encoding) return reply.send(rendered.html);
      return reply.header("content-encoding", encoding).send(await encode(rendered.html, encoding));
    },
  };
}
