import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestAsyncHookHandler,
} from "fastify";
import { escapeHtml } from "#contracts/escape-html.ts";
import { readTheme, themeAttribute } from "#theme/chosen-theme.ts";
import { CONSOLE_BASE, isScreen, PDF_FRAME } from "../src/config/paths.ts";

export interface ConsoleAppOptions {
  /** Folder that `vite build` wrote: index.html and assets/. */
  readonly distDir: string;
  /** Runs before each request, and may send the response itself. */
  readonly onRequest?: onRequestAsyncHookHandler | undefined;
  /** Exact number of trusted proxies in front; 0 if there are none. */
  readonly trustProxy?: number;
  readonly productName?: string;
}

/**
 * Builds the server of the console under /admin. The app is ready but not yet listening. Every response has a strict
 * content security policy: scripts only from this origin, styles from this origin or with the response's nonce. Files
 * in assets/ have a hash in their name and are cached forever. The page is never cached.
 * @throws Error if the console is not built.
 */
export async function buildConsoleApp(options: ConsoleAppOptions): Promise<FastifyInstance> {
  const { distDir, productName = "Chargeback Registry", trustProxy = 0 } = options;
  await indexPage(distDir);
  const app = Fastify({
    // No route accepts a body. A longer one is rejected before parsing (docs/limits.md).
    bodyLimit: 2048,
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: trustProxy > 0 && ((_address: string, hop: number) => hop < trustProxy),
  });
  if (options.onRequest) app.addHook("onRequest", options.onRequest);
  await app.register(helmet, {
    contentSecurityPolicy: policy("'self'"),
    // The port adds it to every response.
    strictTransportSecurity: false,
  });
  await app.register(fastifyStatic, {
    root: join(distDir, "assets"),
    prefix: `${CONSOLE_BASE}/assets/`,
    preCompressed: true,
    immutable: true,
    maxAge: "365d",
    index: false,
    decorateReply: false,
    // The assets are public. The PDF frame loads its own from an opaque origin, so it needs CORS.
    setHeaders: (reply) => void reply.header("access-control-allow-origin", "*"),
  });
  await app.register(fastifyStatic, {
    root: distDir,
    serve: false,
    maxAge: "1h",
  });
  app.get(`${CONSOLE_BASE}/favicon.svg`, (_request, reply) => reply.sendFile("favicon.svg"));
  app.get(PDF_FRAME, (_request, reply) => {
    reply.helmet({ contentSecurityPolicy: FRAME_POLICY, xFrameOptions: { action: "sameorigin" } });
    return reply.sendFile("pdf-frame.html");
  });
  const show = async (request: FastifyRequest, reply: FastifyReply, status: number) => {
    // Read on every request: a new build may replace the old one while the server runs.
    const page = await indexPage(distDir);
    const nonce = randomBytes(16).toString("base64");
    reply.helmet({ contentSecurityPolicy: policy("'self'", `'nonce-${nonce}'`) });
    return reply
      .code(status)
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(
        page
          .replaceAll("__PRODUCT_NAME__", () => escapeHtml(productName))
          .replaceAll("__CSP_NONCE__", nonce)
          .replace(' data-theme="__THEME__"', chosenColors(request.headers.cookie)),
      );
  };
  app.get(CONSOLE_BASE, (request, reply) => show(request, reply, 200));
  app.get(`${CONSOLE_BASE}/*`, (request, reply) => {
    const path = request.url.split("?")[0] ?? "";
    return show(request, reply, isScreen(path) ? 200 : 404);
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type("text/plain; charset=utf-8").send("Page not found."),
  );
  await app.ready();
  return app;
}

/** The frame that draws PDFs: no origin, no network, and only its own scripts. */
const FRAME_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    imgSrc: ["blob:", "data:"],
    fontSrc: ["blob:", "data:"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'self'"],
    sandbox: ["allow-scripts"],
  },
};

/** Helmet's policy with only what the console needs. */
function policy(...styles: string[]) {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: styles,
      imgSrc: ["'self'"],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      frameSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  };
}

/** Returns the `data-theme` attribute for the theme in the `Cookie` header, or "" if the system decides. */
function chosenColors(cookies: string | undefined): string {
  const attribute = themeAttribute(readTheme(cookies));
  return attribute ? ` data-theme="${attribute}"` : "";
}

async function indexPage(distDir: string): Promise<string> {
  try {
    return await readFile(join(distDir, "index.html"), "utf8");
  } catch (cause) {
    throw new Error(
      `The console is not built: ${distDir} has no index.html. Run vite build --config web-admin/vite.config.ts.`,
      { cause },
    );
  }
}
