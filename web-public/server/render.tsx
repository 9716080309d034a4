import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { preload, preloadModule } from "react-dom";
import { renderToPipeableStream } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router-dom";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type ApiClient, type ApiError, apiContext, createApiClient } from "../src/api/client.ts";
import { readPosition } from "../src/api/position-cookie.ts";
import { ApiClientProvider } from "../src/api/use-api.ts";
import { type PageFacts, PageFactsContext } from "../src/components/page-facts.ts";
import type { SiteConfig } from "../src/config/site-config.tsx";
import { type PageProblem, PROBLEMS } from "../src/features/errors/page-problem.ts";
import { Document } from "../src/layout/Document.tsx";
import { type PageHandle, routes } from "../src/routes.tsx";
import { headTags } from "./found/head-tags.tsx";

/** URLs of the client build's files. */
export interface ClientFiles {
  readonly entry: string;
  /** Modules imported by the entry. */
  readonly imports: readonly string[];
  readonly fonts: readonly string[];
  /** Modules of a lazy page, by the source file that its `PageHandle` names. */
  pageModules(source: string): readonly string[];
}

export interface RenderRequest {
  /** Path and query of the page, with a leading slash. */
  readonly url: string;
  readonly cookies: string | undefined;
  /** The URL-encoded form that the browser itself posted to this URL. */
  readonly form?: string | undefined;
  /** The visitor's IP address, forwarded to the registry. */
  readonly visitorAddress: string;
  readonly signal: AbortSignal;
  readonly config: SiteConfig;
  readonly files: ClientFiles;
  /** CSP nonce, which every inline script has. */
  readonly nonce: string;
  /** Origin of the registry's HTTP interface. */
  readonly queryUrl: string;
  readonly timeoutMs: number;
  /** Sends the calls; the global `fetch` if absent. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sends the POST calls; `fetch` if absent. */
  readonly commandFetch?: typeof globalThis.fetch | undefined;
  /** Rendered as an error page instead of the requested page. */
  readonly failure?: PageProblem & { readonly status: number };
  onFault(fault: ApiError): void;
  /** Called with unexpected errors. The visitor sees a generic error page. */
  onError(error: unknown): void;
}

export type Rendered =
  | { readonly kind: "redirect"; readonly status: number; readonly location: string }
  | {
      readonly kind: "page";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly html: string;
    };

const handler = createStaticHandler(routes);

/**
 * Renders the page at a URL, or an error page.
 * @throws if `signal` is aborted, because the client is gone.
 */
export async function render(request: RenderRequest): Promise<Rendered> {
  const options = {
    baseUrl: request.queryUrl,
    position: { read: () => readPosition(request.cookies), write: () => undefined },
    headers: { "x-forwarded-for": request.visitorAddress },
    timeoutMs: request.timeoutMs,
    onFault: request.onFault,
    ...omitUndefined({ fetch: request.fetch }),
  };
  const { commandFetch } = request;
  const { post } = createApiClient({ ...options, ...omitUndefined({ fetch: commandFetch }) });
  const api: ApiClient = { ...createApiClient(options), post };
  // The origin doesn't matter: links are relative, and loaders read only path and query.
  const url = new URL(`http://site.invalid${request.url}`);
  const { form, signal } = request;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const sent = form === undefined ? { signal } : { signal, method: "POST", headers, body: form };
  const context = await handler.query(new Request(url, sent), {
    requestContext: new RouterContextProvider(new Map([[apiContext, api]])),
  });
  if (context instanceof Response) {
    const location = context.headers.get("location") ?? "/";
    return { kind: "redirect", status: context.status, location };
  }
  if (request.failure) fail(context, request.failure);
  hideUnexpected(context, request.onError);
  try {
    return await page(context, request, api);
  } catch (error) {
    request.onError(error);
    fail(context, UNEXPECTED);
    return page(context, request, api);
  }
}

const UNEXPECTED = { status: 500, ...PROBLEMS[500] };

function fail(
  context: StaticHandlerContext,
  { status, heading, text }: PageProblem & { readonly status: number },
): void {
  context.statusCode = status;
  context.errors = { [boundaryOf(context)]: errorResponse(status, { heading, text }) };
}

/** Keeps errors that no loader meant to show out of the page and its hydration data. */
function hideUnexpected(context: StaticHandlerContext, onError: (error: unknown) => void): void {
  for (const [id, error] of Object.entries(context.errors ?? {})) {
    if (isRouteErrorResponse(error)) continue;
    onError(error);
    context.statusCode = UNEXPECTED.status;
    if (context.errors) context.errors[id] = errorResponse(UNEXPECTED.status, PROBLEMS[500]);
  }
}

/** Creates the shape that `isRouteErrorResponse` recognizes, on the server and after hydration. */
function errorResponse(status: number, data: unknown) {
  return { status, statusText: "", internal: false, data };
}

/** Returns the innermost route with an error boundary, the one below the layout. */
function boundaryOf(context: StaticHandlerContext): string {
  const shown = context.matches.filter((match) => match.route.hasErrorBoundary);
  return (shown.at(-1) ?? context.matches[0])?.route.id ?? "0";
}

async function page(
  context: StaticHandlerContext,
  request: RenderRequest,
  api: ApiClient,
): Promise<Rendered> {
  const router = createStaticRouter(handler.dataRoutes, context);
  const { files, config, nonce } = request;
  const modules = context.matches.flatMap(({ route }) => {
    const handle = route.handle as PageHandle | undefined;
    return handle ? files.pageModules(handle.module) : [];
  });
  let facts: PageFacts | undefined;
  const html = await toHtml(
    <Document config={config} head={<SessionMark nonce={nonce} />}>
      <Preloads files={files} modules={context.errors ? [] : modules} />
      <ApiClientProvider value={api}>
        <PageFactsContext
          value={(told) => {
            facts = told;
          }}
        >
          <StaticRouterProvider router={router} context={context} nonce={nonce} />
        </PageFactsContext>
      </ApiClientProvider>
    </Document>,
    { nonce, entry: files.entry },
  );
  const tags = facts ? headTags(facts, config, nonce) : "";
  return {
    kind: "page",
    status: context.statusCode,
    headers: pageHeaders(context),
    // Hydration ignores extra tags in the head.
    html: html.replace("</head>", () => `${tags}</head>`),
  };
}

/**
 * Pages are rendered for visitors. If the browser has a session, this hides what is only for visitors before the
 * first paint. The header removes the mark once it shows the account.
 */
function SessionMark({ nonce }: { nonce: string }) {
  const code = 'try{if(localStorage.token)document.documentElement.dataset.session=""}catch{}';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant.
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: code }} />;
}

/** Preloads what the browser will need. Renders nothing. */
function Preloads(props: { files: ClientFiles; modules: readonly string[] }) {
  for (const font of props.files.fonts) {
    preload(font, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  }
  for (const module of new Set([...props.files.imports, ...props.modules])) {
    preloadModule(module, { as: "script" });
  }
  return null;
}

/** Collects the headers that loaders and actions set, and whether the page may be cached. */
function pageHeaders(context: StaticHandlerContext): Record<string, string> {
  const isOnce = context.matches.some(
    ({ route }) => (route.handle as PageHandle | undefined)?.once,
  );
  const headers: Record<string, string> = isOnce ? { "cache-control": "no-store" } : {};
  const all = [...Object.values(context.loaderHeaders), ...Object.values(context.actionHeaders)];
  for (const given of all) {
    const retryAfter = given.get("retry-after");
    if (retryAfter) headers["retry-after"] = retryAfter;
  }
  return headers;
}

function toHtml(
  document: React.ReactNode,
  options: { nonce: string; entry: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    const stream = renderToPipeableStream(document, {
      nonce: options.nonce,
      bootstrapModules: [options.entry],
      onError(error) {
        failure = error;
      },
      onShellError: reject,
      onAllReady() {
        if (failure) reject(failure);
        else resolve(text(stream.pipe(new PassThrough())));
      },
    });
  });
}
