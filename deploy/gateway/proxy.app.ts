import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
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
import { REPORT_BOUNDS } from "#http/bounds.ts";
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
  /** Milliseconds until an answer must begin, across all processes tried; 20,000 when absent. */
  readonly answerLimitMs?: number;
  /** Milliseconds of silence until a connection to a process is closed; 20,000 when absent. */
  readonly silenceLimitMs?: number;
}

/** Bytes of a body at most, the most that any route takes: it is kept to be sent whole again. */
const BODY_LIMIT = REPORT_BOUNDS.bodyBytes;
/** Longer than any service lets a request run. */
const ANSWER_LIMIT_MS = 20_000;
const SILENCE_LIMIT_MS = 20_000;
/** A request that two processes did not survive is sent to no third. */
const MOST_CUTS = 1;
const CONNECT_LIMIT_MS = 2000;

/**
 * Passes each request on to a process of the service that answers it. When the connection fails or
 * the process is just ending (503), the request goes to the next process, if it never reached the
 * first or may be sent twice; a dropped request is repeated once. Once an answer has begun, nothing
 * is retried. A request has one time limit for all attempts.
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

  await app.register(httpProxy, {
    upstream: "",
    proxyPayloads: false,
    disableRequestLogging: true,
    undici: {
      headersTimeout: silenceLimitMs,
      bodyTimeout: silenceLimitMs,
      connect: { timeout: CONNECT_LIMIT_MS },
    },
    // Says that addresses differ from request to request; `pass` names the one.
    replyOptions: { getUpstream: () => NOWHERE },
    handler: (request, reply, path) => pass(request, reply, path, { ...options, answerLimitMs }),
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

/** Sends the request to one process after the other until one answers. */
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
    const isLast = attempt + 1 >= candidates.length;
    asked = upstream;
    const repeatable = isRecognised && cuts < MOST_CUTS;
    const leftMs = deadline - performance.now();
    const share = shareOfTime({ leftMs, limitMs, mayGoOn: repeatable && !isLast });
    return reply.from(path, {
      ...wholeBody(request),
      ...(share === undefined ? {} : { timeout: share }),
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

/** Whether the address is a path within the upstream, and stays there once it is decoded. */
function isPlainPath(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    // URL parsing turns backslashes into slashes before it removes dot segments.
    return /^\/(?!\/)[^\\]*$/.test(path) && !/\/\.\.|\.\.\//.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The body as it came, so that every attempt sends all of it. */
function wholeBody({ method, body, headers }: FastifyRequest) {
  if (method === "GET" || method === "HEAD" || !Buffer.isBuffer(body)) return {};
  // Left out, the library would write JSON of the empty buffer.
  if (body.length === 0) return { body: null };
  return { body, contentType: headers["content-type"] ?? "application/octet-stream" };
}

/**
 * The one address that services are to believe (they run with `TRUST_PROXY=1`), however many
 * proxies are in front of the gateway. Other addresses that a visitor claims are dropped.
 */
function withVisitor({ ip, host, protocol, method }: FastifyRequest) {
  return {
    "x-forwarded-for": ip,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol,
    forwarded: undefined,
    // The body is here already.
    expect: undefined,
    // These headers belong to the visitor's connection (RFC 9110, 7.6.1).
    "keep-alive": undefined,
    upgrade: undefined,
    // A read's body, which is not passed on, must not be announced either.
    ...(method === "GET" || method === "HEAD" ? { "content-length": undefined } : {}),
  };
}

function answerUnavailable(reply: FastifyReply): void {
  reply
    .code(errorStatuses.unavailable)
    .headers({ "cache-control": "no-store", "retry-after": 2 })
    .send(fail("unavailable", messages.unavailable));
}

/** The code of the innermost error; of several connection attempts, the first one's. */
function rootCode(error: unknown): string | undefined {
  const { cause, code, errors } = (error ?? {}) as {
    cause?: unknown;
    code?: unknown;
    errors?: unknown[];
  };
  const deeper = cause ?? errors?.[0];
  return (deeper ? rootCode(deeper) : undefined) ?? (typeof code === "string" ? code : undefined);
}
