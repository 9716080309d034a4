import { Redis } from "ioredis";

/** Whether a Redis server's last write to its append-only file failed. */
export async function failsToWrite(url: string): Promise<boolean> {
  const redis = new Redis(url);
  try {
    return (await redis.info("persistence")).includes("aof_last_write_status:err");
  } finally {
    redis.disconnect();
  }
}
