import { Writable } from "node:stream";
import { createLogger } from "#runtime/log.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import type { AccountGate, TokenSubject } from "../auth.ts";
import { createService, type ServiceInstance, type ServiceOptions } from "../service.ts";

/** Accounts that a test can change while it runs. */
export interface TestAccounts extends AccountGate {
  readonly rows: Map<string, TokenSubject & { active: boolean; proved?: boolean }>;
}

export function createTestAccounts(): TestAccounts {
  const rows: TestAccounts["rows"] = new Map();
  return {
    rows,
    async check(userId, tokenVersion, sessionId) {
      const row = rows.get(userId);
      return row?.tokenVersion === tokenVersion && row.sessionId === sessionId ? row : null;
    },
  };
}

/** A service created as in production, whose log lines the test can read. */
export async function createTestService(
  options: Partial<ServiceOptions> = {},
): Promise<{ app: ServiceInstance; accounts: TestAccounts; lines: string[] }> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const accounts = createTestAccounts();
  const keys = createMemoryKeyStore();
  const app = await createService({
    name: "test-service",
    version: "1.2.3",
    log: createLogger({ name: "test-service", destination }),
    tokens: { verifier: await keys.tokenVerifier(), signer: await keys.liveKey("tokens") },
    accounts,
    limits: "off",
    processMetrics: false,
    ...options,
  });
  return { app, accounts, lines };
}
