import {
  type ActionFunctionArgs,
  createContext,
  type LoaderFunctionArgs,
  type RouterContextProvider,
} from "react-router-dom";
import { X_MIN_POSITION, X_POSITION } from "#contracts/http/position-headers.ts";
import { timeLimited } from "#session-client/session-fetch.ts";

/** Stores the position of the visitor's last write, so that later reads include it. */
export interface PositionStore {
  read(): string | undefined;
  write(position: string): void;
}

interface PostOptions {
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
}

interface GetOptions {
  readonly query?: URLSearchParams | Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A client for the registry's HTTP interface. Calls reject with an `ApiError`, or when aborted. */
export interface ApiClient {
  /** Resolves to a reply's `data`. `path` starts with `/api/`. */
  get<T>(path: string, options?: GetOptions): Promise<T>;
  /** Resolves to the whole reply to a command. */
  post<T>(path: string, options?: PostOptions): Promise<CommandReply<T>>;
  /** Like `post`, with PUT. */
  put<T>(path: string, options?: PostOptions): Promise<CommandReply<T>>;
  /** Like `post`, with DELETE. */
  delete<T>(path: string, options?: PostOptions): Promise<CommandReply<T>>;
}

export interface CommandReply<T> {
  readonly data?: T;
  readonly message?: string;
}

/**
 * Resolves to the `data` of a reply that always has some.
 * @throws {ApiError} if it has none.
 */
export async function dataOf<T>(replied: Promise<CommandReply<T>>): Promise<T> {
  const { data } = await replied;
  if (data === undefined) throw new ApiError(0, { code: "garbled" });
  return data;
}

/** An error response, or a call without a usable response (`status` 0: unreachable, interrupted or unreadable). */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** One sentence per invalid field, by the field's name in the request. */
  readonly fields: Readonly<Record<string, string>>;
  /** The server's own message, if any. */
  readonly explanation: string | undefined;
  /** Seconds to wait before retrying. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    details: {
      code?: string | undefined;
      explanation?: string | undefined;
      fields?: Readonly<Record<string, string>> | undefined;
      retryAfter?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(details.explanation ?? `The registry answered ${status}`, { cause: details.cause });
    this.status = status;
    this.code = details.code ?? "unknown";
    this.explanation = details.explanation;
    this.fields = details.fields ?? {};
    this.retryAfter = details.retryAfter;
  }
}

/**
 * @param baseUrl origin of the interface without a trailing slash; empty for the page's own origin.
 * @param headers sent with every call.
 * @param onFault called for each call without a usable response (none at all, or a 5xx status).
 */
export function createApiClient(options: {
  baseUrl: string;
  position: PositionStore;
  headers?: Readonly<Record<string, string>>;
  timeoutMs?: number;
  onFault?: (fault: ApiError) => void;
  fetch?: typeof globalThis.fetch;
  /**
   * Wraps the `fetch` that sends the calls, for example to add an account's token. It must apply the timeout to
   * each request.
   */
  sender?: (
    fetch: typeof globalThis.fetch,
    timeoutMs: number | undefined,
  ) => typeof globalThis.fetch;
  now?: () => number;
}): ApiClient {
  const { baseUrl, position, timeoutMs, sender = timeLimited, now = Date.now } = options;
  const failed = (error: ApiError) => {
    if (error.status === 0 || error.status >= 500) options.onFault?.(error);
    return error;
  };
  const plain = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const send = sender(plain, timeoutMs);

  async function call(path: string, init: RequestInit, extra: GetOptions) {
    const query = new URLSearchParams(extra.query);
    query.set("_cb", String(now()));
    const signal = extra.signal ?? null;
    const headers = { accept: "application/json", ...options.headers, ...init.headers };
    let response: Response;
    let body: Envelope | undefined;
    try {
      response = await send(`${baseUrl}/prod${path}?${query}`, { ...init, headers, signal });
      body = await envelope(response);
    } catch (cause) {
      if (extra.signal?.aborted) throw cause;
      throw failed(new ApiError(0, { code: "unreachable", cause }));
    }
    const written = response.headers.get(X_POSITION);
    if (written && init.method !== "GET") position.write(written);
    if (response.ok && body?.success === true) return body;
    throw failed(
      new ApiError(response.ok ? 0 : response.status, {
        code: body?.error?.code,
        explanation: body?.error?.message,
        fields: body?.error?.fields,
        retryAfter: seconds(response.headers.get("retry-after")),
      }),
    );
  }

  async function write<T>(
    method: "POST" | "PUT" | "DELETE",
    path: string,
    { body, idempotencyKey, signal }: PostOptions = {},
  ): Promise<CommandReply<T>> {
    const headers: Record<string, string> = {};
    if (idempotencyKey) headers["idempotency-key"] = idempotencyKey;
    const init: RequestInit = { method, headers };
    if (body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    return (await call(path, init, { signal })) as CommandReply<T>;
  }

  return {
    async get<T>(path: string, { query, signal }: GetOptions = {}) {
      const newest = position.read();
      const headers: Record<string, string> = newest ? { [X_MIN_POSITION]: newest } : {};
      const body = await call(path, { method: "GET", headers }, { query, signal });
      if (body.data === undefined) throw failed(new ApiError(0, { code: "garbled" }));
      return body.data as T;
    },
    post: (path, options) => write("POST", path, options),
    put: (path, options) => write("PUT", path, options),
    delete: (path, options) => write("DELETE", path, options),
  };
}

interface Envelope {
  readonly success?: unknown;
  readonly data?: unknown;
  readonly message?: string;
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly fields?: Record<string, string>;
  };
}

/** Parses a response's JSON object; undefined for anything else, such as a proxy's error page. */
async function envelope(response: Response): Promise<Envelope | undefined> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the seconds in a `Retry-After` header; undefined if it holds a date. */
function seconds(header: string | null): number | undefined {
  return header && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

/** Returns the server's message, or else `otherwise`. Rethrows other errors. */
export function sentenceOf(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiError)) throw error;
  return error.explanation ?? otherwise;
}

/** The client for loaders and actions, on the server or in the browser. */
export const apiContext = createContext<ApiClient>();

export type LoaderArgs = LoaderFunctionArgs<Readonly<RouterContextProvider>>;
export type ActionArgs = ActionFunctionArgs<Readonly<RouterContextProvider>>;

/** Creates a loader that reads one thing for its page, and throws an error page if it can't be read. */
export function loading<T>(
  read: (api: ApiClient, args: LoaderArgs) => Promise<T>,
  problemOf: (error: ApiError) => unknown,
): (args: LoaderArgs) => Promise<T> {
  return async (args) => {
    try {
      return await read(args.context.get(apiContext), args);
    } catch (error) {
      throw error instanceof ApiError ? problemOf(error) : error;
    }
  };
}
