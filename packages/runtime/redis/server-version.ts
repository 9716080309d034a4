import { openRedis } from "./open-redis.ts";

/** The version of the server, e.g. `7.4.11`, over a connection of its own. */
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
