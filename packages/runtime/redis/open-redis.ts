import net from "node:net";
import tls from "node:tls";
import { AbstractConnector, Redis, type RedisOptions } from "ioredis";
import { withAuthority } from "../net/client-address.ts";

/** Connects as ioredis does, with a listener for every error: a failed TLS handshake raises two. */
class Connector extends AbstractConnector {
  readonly #options: RedisOptions;

  /** @param options of the client, including its defaults. */
  constructor(options: unknown) {
    const given = options as RedisOptions;
    super(given.disconnectTimeout ?? 0);
    this.#options = given;
  }

  override async connect(): Promise<net.Socket> {
    this.connecting = true;
    const { host = "localhost", port = 6379, family = 0, tls: secure } = this.#options;
    const place = { host, port, family };
    this.stream = secure ? tls.connect({ ...place, ...secure }) : net.connect(place);
    return this.stream.on("error", (error) => {
      this.firstError ??= error;
    });
  }
}

/**
 * A Redis client, connected immediately unless `lazyConnect`.
 * @throws {ConfigInvalid} if `tlsCAFile` can't be read.
 */
export function openRedis(
  url: string,
  options: Omit<RedisOptions, "Connector" | "replyMapping">,
): Redis {
  const server = withAuthority(url);
  return new Redis(server.url, { ...(server.tls && { tls: server.tls }), ...options, Connector });
}

/** Returns the server's version, such as `7.4.11`, over a separate connection. */
export async function redisVersion(url: string): Promise<string> {
  const client = openRedis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return /^redis_version:(\S+)/m.exec(await client.info("server"))?.[1] ?? "";
  } finally {
    client.disconnect();
  }
}
