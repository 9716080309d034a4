import { type ApiResponse, Client, errors } from "@opensearch-project/opensearch";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { withAuthority } from "#runtime/net/client-address.ts";
import { SearchTooSlow, SearchUnavailable } from "../port.ts";

/** Time limit of a call in milliseconds, including all of its attempts. */
export interface Limits {
  readonly search: number;
  readonly state: number;
  /** Two of these must be shorter than the idle timeout of the transaction that waits for them. */
  readonly write: number;
  /** Creating, activating and dropping indexes. */
  readonly manage: number;
}

export const LIMITS: Limits = { search: 5_000, state: 1_500, write: 4_500, manage: 30_000 };

const TOO_SLOW = "the search engine timed out";

/** The result of the client's calls: a promise that can be aborted. */
type Call<T> = Promise<ApiResponse & { readonly body: T }> & { abort(): void };

interface CallOptions {
  readonly requestTimeout: number;
  readonly maxRetries: number;
}

/** The engine rejected a call; `type` is its code for the reason. */
export class EngineRefusal extends SearchUnavailable {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string) {
    super(`the search engine responded with ${status} (${type})`);
    this.status = status;
    this.type = type;
  }
}

/** Whether the engine is unavailable, rather than rejecting the call or lacking the index. */
export function isEngineUnavailable(error: unknown): boolean {
  if (error instanceof EngineRefusal) return error.status >= 500;
  return error instanceof SearchUnavailable;
}

/** The engine's HTTP API with time limits. The client's errors contain search terms, so they are never passed on. */
export class SearchConnection {
  readonly limits: Limits;
  readonly #client: Client;

  /**
   * @param node URL, with user and password for basic authentication.
   * @param ca certificate authorities; Node's if absent.
   */
  constructor(node: string, limits: Limits = LIMITS, ca?: Buffer) {
    this.limits = limits;
    // A node that is down is retried on the next call, without a ping first.
    this.#client = new Client({
      node,
      maxRetries: 0,
      resurrectStrategy: "none",
      ...(ca && { ssl: { ca } }),
    });
  }

  /**
   * Retries a broken connection once, within the limit: an idle connection that the engine closed is only noticed
   * when it is used.
   * @throws {SearchUnavailable} if the engine is unreachable.
   * @throws {SearchTooSlow} if it does not respond in time.
   * @throws {EngineRefusal} if it rejects the call.
   */
  async call<T>(
    kind: keyof Limits,
    start: (client: Client, options: CallOptions) => Call<T>,
  ): Promise<T> {
    const limitMs = this.limits[kind];
    const request = start(this.#client, { requestTimeout: limitMs, maxRetries: 1 });
    try {
      const late = () => new SearchTooSlow(TOO_SLOW);
      const { body } = await withDeadline(request, limitMs, late);
      return body;
    } catch (error) {
      request.abort();
      throw translated(error);
    }
  }

  async close(): Promise<void> {
    await withDeadline(this.#client.close(), 2_000, () => new Error("time limit")).catch(
      () => undefined,
    );
  }
}

function translated(error: unknown): Error {
  if (error instanceof SearchUnavailable) return error;
  if (error instanceof errors.ResponseError) {
    const { statusCode, body } = error;
    const cause = (body as { error?: { type?: unknown } } | undefined)?.error?.type;
    return new EngineRefusal(statusCode, typeof cause === "string" ? cause : "no reason given");
  }
  if (error instanceof errors.TimeoutError) return new SearchTooSlow(TOO_SLOW);
  if (error instanceof errors.ConnectionError) {
    // Only the code: everyone can read it in health checks, and the rest contains addresses.
    const code = /\bE[A-Z_]{3,}\b/.exec(error.message)?.[0];
    return new SearchUnavailable(`the search engine is unreachable${code ? ` (${code})` : ""}`);
  }
  const { name } = error as Error;
  return new SearchUnavailable(`the search engine did not respond (${name})`);
}

/** Returns the engine's version, e.g. `3.8.0`, over a separate connection. */
export async function openSearchVersion(url: string): Promise<string> {
  const server = withAuthority(url);
  const node = new URL(server.url);
  node.search = "";
  const connection = new SearchConnection(node.href, LIMITS, server.tls?.ca);
  try {
    const { version } = await connection.call<{ version: { number: string } }>(
      "state",
      (client, options) => client.info({}, options) as never,
    );
    return version.number;
  } finally {
    await connection.close();
  }
}
