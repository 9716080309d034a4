import { Redis } from "ioredis";
import { decoded, type Texts } from "./traces.ts";

/** Every key of a Redis server with its value, whatever its kind. */
export async function keysIn(url: string): Promise<Texts> {
  const redis = new Redis(url);
  const texts = new Map<string, string>();
  try {
    for (const key of await redis.keys("*")) {
      const kind = await redis.type(key);
      const value = await contentOf(redis, key, kind);
      texts.set(`Redis: ${key}`, decoded(`${key}\n${JSON.stringify(value)}`));
    }
  } finally {
    redis.disconnect();
  }
  return texts;
}

async function contentOf(redis: Redis, key: string, kind: string): Promise<unknown> {
  switch (kind) {
    case "string":
      return redis.get(key);
    case "hash":
      return redis.hgetall(key);
    case "list":
      return redis.lrange(key, 0, -1);
    case "set":
      return redis.smembers(key);
    case "zset":
      return redis.zrange(key, "0", "-1");
    case "stream":
      return redis.xrange(key, "-", "+");
    case "none":
      return null;
    default:
      throw new TypeError(`a value of the kind ${kind}`);
  }
}
