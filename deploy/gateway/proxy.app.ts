import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import httpProxy from "@fastify/http-proxy";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import { DomainError } from "#contracts/domain-error.ts";
import { given } from "#contracts/given.ts";
import { REPORT_BOUNDS, UPLOAD_MS, UPLOADS } from "#http/bounds.ts";
import { fail } from "#http/envelope.ts";
import { handleError } from "#http/error-handler.ts";
import { errorStatuses, messages } from "#http/errors.ts";
import { registerExpectContinue } from "#http/expect-continue.ts";
import type { Upstreams } from "#http/upstreams.ts";
import { pickBackend } from "#launcher/one-port/backends.ts";
import { mayBeSentTwice, neverReached, shareOfTime } from "./retry-rules.ts";

export interface ProxyOptions {
  readonly log: Logger;
  readonly upstreams: Record<"commandApi" | "queryApi" | "web", Upstreams>;
  /** Exact number of proxies in front of the gateway. */
  readonly trustProxyHops: number;
  /** Milliseconds until a reply must begin, over all processes tried; 20,000 when absent. */
  readonly answerLimitMs?: number;
  /**
   * Milliseconds of silence after which a connection to a process is closed; 20,000 when absent.
   */
  readonly silenceLimitMs?: number;
}

/**
 * The largest body that any route takes, but for files, in bytes. Bodies are kept in memory so that each attempt
 * sends all of it.
 */
const BODY_LIMIT = REPORT_BOUNDS.bodyBytes;
/** Files go through as they arrive, once, so that they take no memory here. */
const UPLOAD_LIMIT_MS = UPLOAD_MS + 40_000;
/** Longer than any service lets a request run. */
const ANSWER_LIMIT_MS = 20_000;
const SILENCE_LIMIT_MS = 20_000;
/** A request that two processes did not survive is not sent to a third. */
const MOST_CUTS = 1;
const CONNECT_LIMIT_MS = 2000;

/**
 * Passes each request to a process of the service that serves it. If the connection fails or the
 * process is shutting down (503), the next process gets the request, provided that it never reached
 * the first or may be sent twice. A request whose connection was cut is repeated only once. Once a
 * reply has begun, nothing is retried. One time limit covers all attempts of a request.
 */
export async function buildProxyApp(options: ProxyOptions): Promise<FastifyInstance> {
  const {
    trustProxyHops,
    answerLimitMs = ANSWER_LIMIT_MS,
    silenceLimitMs = SILENCE_LIMIT_MS,
  } = options;
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyHops > 0 && ((_address: string, hop: number) => hop < trustProxyHops),
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 16 * 1024 },
    frameworkErrors: handleError,
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(() => {
    throw new DomainError("method_not_allowed", messages.method_not_allowed);
  });
  app.addHook("onRequest", async ({ raw }) => {
    if (!isPlainPath(raw.url ?? "")) throw new DomainError("invalid_url", messages.invalid_url);
  });
  registerExpectContinue(app as unknown as FastifyInstance);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  const proxy = (limitMs: number, silenceMs: number) => ({
    upstream: "",
    proxyPayloads: false,
    disableRequestLogging: true,
    undici: {
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      connect: { timeout: CONNECT_LIMIT_MS },
    },
    // Only a placeholder that says that addresses differ between requests; `pass` chooses the real
    // one.
    replyOptions: { getUpstream: () => NOWHERE },
    handler: (request: FastifyRequest, reply: FastifyReply, path: string) =>
      pass(request, reply, path, { ...options, answerLimitMs: limitMs }),
  });
  await app.register(httpProxy, proxy(answerLimitMs, silenceLimitMs));
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const uploads = proxy(UPLOAD_LIMIT_MS, UPLOAD_LIMIT_MS);
    await scope.register(httpProxy, { ...uploads, routes: [UPLOADS], httpMethods: ["POST"] });
  });
  await app.ready();
  return app;
}

const NOWHERE = "http://upstream.invalid";

interface UpstreamAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly stream: Readable;
}

/** Sends the request to one process after another until one answers. */
function pass(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  { upstreams, log, answerLimitMs: limitMs }: ProxyOptions & { readonly answerLimitMs: number },
): FastifyReply {
  const backend = pickBackend(request.method, request.url);
  const service = backend === "commandApi" || backend === "queryApi" ? backend : "web";
  const candidates = upstreams[service].order();
  let cuts = 0;
  // What has gone through cannot be sent again.
  const isStream = request.body instanceof Readable;
  const isRecognised = mayBeSentTwice({
    method: request.method,
    url: request.url,
    backend,
    idempotencyKey: request.headers["idempotency-key"],
  });
  const forwardedHeaders = withVisitor(request);

  const deadline = performance.now() + limitMs;
  const blame = (upstream: string, code: string | undefined) => {
    upstreams[service].failed(upstream);
    log.warn({ host: upstream, code, method: request.method }, "an upstream did not answer");
  };
  let asked: string | undefined;
  let isAnswered = false;
  const answer = (how: () => void) => {
    clearTimeout(timer);
    if (isAnswered) return;
    isAnswered = true;
    how();
  };
  const timer = setTimeout(() => {
    if (asked) blame(asked, "TIME_LIMIT");
    answer(() => answerUnavailable(reply));
  }, limitMs);
  reply.raw.once("close", () => clearTimeout(timer));

  const send = (attempt: number): FastifyReply => {
    const upstream = candidates[attempt] as string;
    const isLast = attempt + 1 >= candidates.length || isStream;
    asked = upstream;
    const repeatable = isRecognised && cuts < MOST_CUTS;
    const leftMs = deadline - performance.now();
    const share = shareOfTime({ leftMs, limitMs, mayGoOn: repeatable && !isLast });
    return reply.from(path, {
      ...wholeBody(request),
      ...given({ timeout: share }),
      getUpstream: () => upstream,
      rewriteRequestHeaders: (_request, headers) => ({ ...headers, ...forwardedHeaders }),
      // The library's own retries would all go to the same process.
      retryDelay: () => null,
      onError: (_reply, { error }) => {
        const code = rootCode(error);
        if (isAnswered) return;
        blame(upstream, code);
        const isUntouched = neverReached(code);
        if (!isUntouched) cuts += 1;
        if (!isLast && (repeatable || isUntouched)) send(attempt + 1);
        else answer(() => answerUnavailable(reply));
      },
      onResponse: (_request, _reply, found) => {
        const { statusCode, headers, stream } = found as unknown as UpstreamAnswer;
        // These headers belong to the other connection.
        for (const name of ["connection", "keep-alive"]) reply.removeHeader(name);
        if (!isAnswered && (statusCode !== errorStatuses.unavailable || isLast || !repeatable)) {
          answer(() => reply.send(stream));
          return;
        }
        for (const name of Object.keys(headers)) reply.removeHeader(name);
        stream.on("error", () => undefined).resume();
        if (!isAnswered) send(attempt + 1);
      },
    });
  };
  return send(0);
}

/** Whether the address is a path within the upstream, and still is once it is decoded. */
function isPlainPath(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    // URL parsing turns backslashes into slashes before it removes dot segments.
    return /^\/(?!\/)[^\\]*$/.test(path) && !/\/\.\.|\.\.\//.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The body as it arrived, so that every attempt sends all of it. */
function wholeBody({ method, body, headers }: FastifyRequest) {
  if (method === "GET" || method === "HEAD" || !Buffer.isBuffer(body)) return {};
  // Without `null` the library would send JSON of the empty buffer.
  if (body.length === 0) return { body: null };
  return { body, contentType: headers["content-type"] ?? "application/octet-stream" };
}

/**
 * The one address that services may believe (they run with `TRUST_PROXY=1`), however many proxies
 * are in front of the gateway. All other addresses that a visitor claims are dropped.
 */
function withVisitor({ ip, host, protocol, method }: FastifyRequest) {
  return {
    "x-forwarded-for": ip,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol,
    forwarded: undefined,
    // The body has already arrived.
    expect: undefined,
    // These headers belong to the visitor's connection (RFC 9110, 7.6.1).
    "keep-alive": undefined,
    upgrade: undefined,
    // A read's body is not passed on, so it must not be announced either.
    ...(method === "GET" || method === "HEAD" ? { "content-length": undefined } : {}),
  };
}

function answerUnavailable(reply: FastifyReply): void {
  reply
    .code(errorStatuses.unavailable)
    .headers({ "cache-control": "no-store", "retry-after": 2 })
    .send(fail("unavailable", messages.unavailable));
}

/** The code of the innermost error; after several connection attempts, that of the first. */
function rootCode(error: unknown): string | undefined {
  const { cause, code, errors } = (error ?? {}) as {
    cause?: unknown;
    code?: unknown;
    errors?: unknown[];
  };
  const deeper = cause ?? errors?.[0];
  return (deeper ? rootCode(deeper) : undefined) ?? (typeof code === "string" ? code : undefined);
}
