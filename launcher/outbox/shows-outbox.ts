import { type Front, isAlone } from "#runtime/net/client-address.ts";

/** Whether there is an `/outbox`: only when nobody outside this machine can reach the registry. */
export function showsOutbox(config: Front & { readonly isLoopback: boolean }): boolean {
  return config.isLoopback && isAlone(config);
}
