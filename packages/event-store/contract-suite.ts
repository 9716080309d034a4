import { afterAll, beforeAll, describe } from "vitest";
import { appendContract } from "./contract/append.contract.ts";
import type { EventStoreCapabilities, LogUnderTest, Suite } from "./contract/capabilities.ts";
import { concurrencyContract } from "./contract/concurrency.contract.ts";
import { killedWriterContract } from "./contract/killed-writer.contract.ts";
import { lostServerContract } from "./contract/lost-server.contract.ts";
import { readContract } from "./contract/read.contract.ts";
import { refusalContract } from "./contract/refusal.contract.ts";
import { restartContract } from "./contract/restart.contract.ts";
import { subscriptionContract } from "./contract/subscription.contract.ts";
import type { EventStore } from "./port.ts";

export type {
  EventStoreCapabilities,
  LogUnderTest,
  LogWithServer,
} from "./contract/capabilities.ts";

/**
 * Everything that the rest of the system relies on in an event log. Every adapter runs the whole
 * suite and declares in `capabilities` what it cannot support, with a reason that the skipped tests print.
 * The suite uses one log, starts from whatever is in it, and uses its own streams, so a store that cannot
 * be emptied works too.
 * @param factory creates the log; called once.
 */
export function eventStoreContract<L extends LogUnderTest>(
  name: string,
  factory: () => Promise<L>,
  capabilities: EventStoreCapabilities<L>,
): void {
  describe(`event store contract: ${name}`, () => {
    let log: L;
    let store: EventStore;
    beforeAll(async () => {
      log = await factory();
      store = await log.open();
    });
    afterAll(async () => {
      await store?.close();
      await log?.dispose();
    });
    const suite: Suite<L> = { store: () => store, log: () => log, capabilities };
    appendContract(suite);
    refusalContract(suite);
    readContract(suite);
    subscriptionContract(suite);
    concurrencyContract(suite);
    restartContract(suite);
    killedWriterContract(suite);
    lostServerContract(suite);
  });
}
