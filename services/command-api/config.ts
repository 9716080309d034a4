import type { MasterKeySource } from "#kit/keys/master-ring.ts";

/** What the command side needs to know; the processes' `main.ts` and the launcher fill it in. */
export interface CommandApiConfig {
  readonly version: string;
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  /** The wanted master key first, then a former one while keys are being rotated. */
  readonly masterKeys: MasterKeySource;
  readonly limits: "on" | "off";
  /** `redis://` or `rediss://`: counters that all processes share; each in its memory when absent. */
  readonly rateLimitUrl?: string;
  readonly trustProxyHops: number;
  readonly originToken?: string;
  readonly processMetrics?: boolean;
  /** Told of the address of each account that signs in, before it is answered. */
  readonly onSignIn?: (email: string) => Promise<void>;
}
