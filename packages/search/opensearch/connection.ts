import { type ApiResponse, Client, errors } from "@opensearch-project/opensearch";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { withAuthority } from "#runtime/net/client-address.ts";
import { SearchTooSlow, SearchUnavailable } from "../port.ts";

/** Milliseconds that a call may take, all of its attempts together. */
export interface Limits {
  readonly search: number;
  readonly state: number;
  /** Two of these must be shorter than the idle limit of the transaction that waits for them. */
  readonly write: number;
  /** Creating, showing and dropping indexes. */
  readonly manage: number;
}

export const LIMITS: Limits = { search: 5_000, state: 1_500, write: 4_500, manage: 30_000 };

const TOO_SLOW = "the search engine takes too long";

/** The result of the client's calls: a promise that can be aborted. */
type Call<T> = Promise<ApiResponse & { readonly body: T }> & { abort(): void };

interface CallOptions {
  readonly requestTimeout: number;
  readonly maxRetries: number;
}

/** The engine refused a call; `type` is its code for the reason. */
export class EngineRefusal extends SearchUnavailable {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string) {
    super(`the search engine answers ${status} (${type})`);
    this.status = status;
    this.type = type;
  }
}

/** Whether the engine gives no answer, rather than one that refuses the call or has no index. */
export function isEngineAway(error: unknown): boolean {
  if (error instanceof EngineRefusal) return error.status >= 500;
  return error instanceof SearchUnavailable;
}

/** The engine's HTTP interface with limits. The client's errors hold what people searched for, so none gets out. */
export class SearchConnection {
  readonly limits: Limits;
  readonly #client: Client;

  /** @param node URL, with user and password for basic authentication. @param ca authorities; Node's without them. */
  constructor(node: string, limits: Limits = LIMITS, ca?: Buffer) {
    this.limits = limits;
    // A node that is down is tried again at the next call, without a ping before.
    this.#client = new Client({
      node,
      maxRetries: 0,
      resurrectStrategy: "none",
      ...(ca && { ssl: { ca } }),
    });
  }

  /**
   * A broken connection is tried once more, within the limit: an idle connection that the engine
   * closed is only noticed when it is used.
   * @throws {SearchUnavailable} out of reach. @throws {SearchTooSlow} no answer in time.
   * @throws {EngineRefusal} the engine refused.
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
    return new SearchUnavailable(`the search engine is out of reach${code ? ` (${code})` : ""}`);
  }
  const { name } = error as Error;
  return new SearchUnavailable(`the search engine gives no answer (${name})`);
}

/** The engine's version, e.g. `3.8.0`, over a separate connection. */
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
