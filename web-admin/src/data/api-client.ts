import { X_MIN_POSITION, X_POSITION, X_STALE } from "#contracts/http/position-headers.ts";
import { type Locks, REQUEST_TIMEOUT_MS, sessionFetch } from "#session-client/session-fetch.ts";
import type { SessionStore } from "#session-client/session-store.ts";
import { ApiError, apiErrorOf } from "./api-error.ts";

export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** A file is sent as is, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Headers | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether later reads wait for this read's position, as they do for a command's. */
  readonly keepsPosition?: true;
}

interface ApiDownload {
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** Receives each chunk as it arrives, decoded as UTF-8. */
  readonly onText: (text: string) => void;
}

interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
  readonly file?: Blob;
}

interface ApiClientOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly session: SessionStore;
  readonly locks: Locks;
  /** Called after each read with its path, without the query, and whether the response was stale. */
  readonly onStale?: (path: string, stale: boolean) => void;
  /** Called after a command: whether it was refused because a second factor is required. */
  readonly onFactorNeeded?: (needed: boolean) => void;
  readonly newKey?: () => string;
}

export type ApiClient = ReturnType<typeof apiClient>;

/** Longer than the server's own limit. */
const DOWNLOAD_TIMEOUT_MS = 11 * 60_000;

/** Creates a client of the HTTP API for one signed-in account. Its methods throw `ApiError`. */
export function apiClient(options: ApiClientOptions) {
  const { session, onStale, onFactorNeeded, newKey = () => crypto.randomUUID() } = options;
  const fetchAsAccount = sessionFetch(options);
  const fetchForLong = sessionFetch({ ...options, timeoutMs: DOWNLOAD_TIMEOUT_MS });

  async function send(path: string, request: ApiRequest) {
    const method = request.method ?? "GET";
    const headers = new Headers(request.headers);
    headers.set("Accept", "application/json");
    const position = session.position();
    if (method === "GET" && position) headers.set(X_MIN_POSITION, position);
    const { body } = request;
    const isFile = body instanceof Blob;
    if (body !== undefined)
      headers.set("Content-Type", isFile ? "application/octet-stream" : "application/json");
    const response = await answer(fetchAsAccount, path, {
      method,
      headers,
      cache: "no-store",
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      signal: request.signal ?? null,
    });
    const written = response.headers.get(X_POSITION);
    if (written && (method !== "GET" || request.keepsPosition)) session.setPosition(written);
    if (method === "GET") {
      onStale?.(path.split("?")[0] as string, response.headers.get(X_STALE) === "true");
    }
    return response;
  }

  async function request(path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    const isCommand = request.method !== undefined && request.method !== "GET";
    try {
      const response = await send(path, request);
      const { status, json } = response;
      if (status < 200 || status >= 300) throw apiErrorOf(status, json);
      if (isCommand) onFactorNeeded?.(false);
      return response;
    } catch (error) {
      if (error instanceof ApiError && error.code === "second_factor_required")
        onFactorNeeded?.(true);
      throw error;
    }
  }

  return {
    /** Sends a request with the session's token. If the token is rejected, renews it and retries. */
    request,
    /** Sends a write with an `Idempotency-Key` and retries it once if there was no response. */
    async command(path: string, method: "POST" | "PUT" | "DELETE", body: object) {
      const headers = new Headers({ "Idempotency-Key": newKey() });
      const call = () => request(path, { method, body, headers });
      try {
        return await call();
      } catch (error) {
        if (error instanceof ApiError && error.status === 0) return call();
        throw error;
      }
    },
    /** Downloads a streamed file. Rejects if the stream ends early. */
    async download(path: string, { headers, signal, onText }: ApiDownload) {
      const sent = new Headers(headers);
      const position = session.position();
      if (position) sent.set(X_MIN_POSITION, position);
      try {
        const response = await fetchForLong(path, { headers: sent, cache: "no-store", signal });
        if (!response.ok) throw apiErrorOf(response.status, parsed(await response.text()));
        const pieces: Uint8Array<ArrayBuffer>[] = [];
        const decoder = new TextDecoder();
        const reader = response.body?.getReader();
        for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
          pieces.push(read.value);
          onText(decoder.decode(read.value, { stream: true }));
        }
        return new Blob(pieces);
      } catch (error) {
        if (error instanceof ApiError || signal.aborted) throw error;
        throw new ApiError(0, "Connection failed", "network");
      }
    },
  };
}

async function answer(
  fetch: typeof globalThis.fetch,
  path: string,
  init: RequestInit,
): Promise<ApiResponse> {
  try {
    const response = await fetch(path, init);
    if (/^(image|application\/pdf)/.test(response.headers.get("content-type") ?? "")) {
      const file = await response.blob();
      return { status: response.status, headers: response.headers, json: null, file };
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: parsed(text) };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    // The caller did not abort, so the time limit did. Cutting off a body may throw `AbortError`.
    if (error instanceof DOMException && ["TimeoutError", "AbortError"].includes(error.name)) {
      const seconds = REQUEST_TIMEOUT_MS / 1000;
      throw new ApiError(0, `No answer within ${seconds} seconds`, "timeout");
    }
    throw new ApiError(0, "Connection failed", "network");
  }
}

function parsed(text: string): unknown {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
