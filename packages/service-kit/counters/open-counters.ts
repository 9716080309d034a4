import type { Logger } from "pino";
import { chooseByScheme } from "../config/urls.ts";
import type { ReadinessCheck } from "../http/health.ts";
import type { KeyStore } from "../keys/key-store.ts";
import { createMemoryCounters } from "./memory-counters.ts";
import type { CounterStore } from "./port.ts";
import { openRedisCounters, type RedisCountersOptions } from "./redis/redis-counters.ts";
import { withFallback } from "./with-fallback.ts";

/**
 * The counters that the URL names; in memory without one. Shared ones need not be there when the
 * service starts: until then, and whenever they are away, `withFallback` says what holds.
 * @throws {ConfigInvalid} for another scheme.
 */
export async function openCounters(
  url: string | undefined,
  keys: Pick<KeyStore, "serviceKey">,
  log: Logger,
  options: Pick<RedisCountersOptions, "callLimitMs"> = {},
): Promise<CounterStore> {
  if (url === undefined) return createMemoryCounters();
  const onRedis = async (redisUrl: string) =>
    withFallback(
      await openRedisCounters({
        ...options,
        url: redisUrl,
        key: await keys.serviceKey("limits"),
        onChange(reachable, reason) {
          if (reachable) log.info("the rate-limit counters are shared");
          else log.warn({ reason }, "the rate-limit counters are away");
        },
      }),
    );
  return chooseByScheme<Promise<CounterStore>>("RATE_LIMIT_URL", url, {
    redis: onRedis,
    rediss: onRedis,
  });
}

/** Says in `/readyz` how shared counters are. A service does its work without them. */
export function countersCheck(counters: CounterStore): Readonly<Record<string, ReadinessCheck>> {
  if (!counters.state().shared) return {};
  const check: ReadinessCheck = async () => {
    const { reachable, fallbacks } = counters.state();
    return { ok: true, detail: { reachable, fallbacks } };
  };
  return { rate_limits: check };
}
