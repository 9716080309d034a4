import { Redis } from "ioredis";

/** Whether a Redis server could not write its log to its disk lately. */
export async function failsToWrite(url: string): Promise<boolean> {
  const redis = new Redis(url);
  try {
    return (await redis.info("persistence")).includes("aof_last_write_status:err");
  } finally {
    redis.disconnect();
  }
}
