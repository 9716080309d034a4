import net from "node:net";
import tls from "node:tls";
import { AbstractConnector, Redis, type RedisOptions } from "ioredis";
import { withAuthority } from "../net/client-address.ts";

/** Connects as ioredis does, and listens for every error: one that ends in its TLS handshake fails twice. */
class Connector extends AbstractConnector {
  readonly #options: RedisOptions;

  /** @param options the client's, with its defaults. */
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

/** A client of Redis, connected at once unless `lazyConnect`. @throws {ConfigInvalid} `tlsCAFile` can't be read. */
export function openRedis(
  url: string,
  options: Omit<RedisOptions, "Connector" | "replyMapping">,
): Redis {
  const server = withAuthority(url);
  return new Redis(server.url, { ...(server.tls && { tls: server.tls }), ...options, Connector });
}

/** The server's version, e.g. `7.4.11`, over a separate connection. */
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
