import { isLoopbackHost } from "../net/client-address.ts";

export interface ConnectionNeed {
  /** URL of a store. Only `postgres://` URLs count. */
  readonly url: string;
  /** A pool's share of the budget, relative to other pools. */
  readonly weight?: number;
  /** Or a fixed number of connections outside of pools. */
  readonly single?: number;
}

/**
 * Divides a service's budget of connections among its pools. Pools and single connections to the
 * same server (host and port) share one budget; each server has its own.
 * @param budget most connections to each server.
 * @returns the connections of each pool, at least one; 0 for whatever is not a PostgreSQL pool.
 */
export function divideConnections<Name extends string>(
  budget: number,
  needs: Readonly<Record<Name, ConnectionNeed>>,
): Record<Name, number> {
  const entries = Object.entries(needs) as [Name, ConnectionNeed][];
  const given = Object.fromEntries(entries.map(([name]) => [name, 0])) as Record<Name, number>;
  const servers = Map.groupBy(entries, ([, { url }]) => serverOf(url));
  servers.delete(undefined);
  for (const onServer of servers.values()) {
    let left = budget - onServer.reduce((sum, [, { single = 0 }]) => sum + single, 0);
    const pools = onServer.filter(([, { weight = 0 }]) => weight > 0);
    for (const [name] of pools) {
      given[name] = 1;
      left -= 1;
    }
    // The remainder is given out one by one, each time to the pool with the least for its weight.
    for (; left > 0 && pools.length > 0; left -= 1) {
      const [name] = pools.reduce((a, b) => (shareOf(b) > shareOf(a) ? b : a));
      given[name] += 1;
    }
  }
  return given;

  function shareOf([name, { weight = 0 }]: [Name, ConnectionNeed]): number {
    return weight / (given[name] + 1);
  }
}

function serverOf(url: string): string | undefined {
  if (!/^postgres(ql)?:/.test(url)) return undefined;
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  return `${isLoopbackHost(host) ? "localhost" : host.toLowerCase()}:${port || "5432"}`;
}
