/**
 * `npm run audit:verify`: walks the log and names the first event that does not follow from the
 * others.
 */
import { verifyLog } from "#event-store/audit-verify.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { takesNoArguments } from "#runtime/lifecycle/usage.ts";
import { runWithStores } from "./with-stores.ts";

const REASONS: Readonly<Record<string, string>> = {
  wrong_hash: "its content or its place in the chain was changed",
  wrong_revision: "an event before it is missing, or one was put in between",
  wrong_position: "it stands out of order in the log",
  missing_position: "events before it are missing from the log",
};

takesNoArguments("audit:verify");
await runWithStores(async ({ instance }) => {
  const store = await openEventStore(instance.stores.EVENT_STORE_URL, { install: false });
  try {
    const result = await verifyLog(store, {
      onProgress: ({ events }) => console.log(`  ${events} events verified...`),
    });
    const { events, streams, seconds, fault } = result;
    if (fault) {
      const reason = REASONS[fault.reason] ?? fault.reason;
      console.error(
        `The log does not verify at event ${fault.id} (stream ${fault.stream}, revision ${fault.revision}, position ${fault.position}): ${reason}.`,
      );
      return 1;
    }
    console.log(
      `All ${events} events of ${streams} streams are verified (${seconds.toFixed(1)} s).`,
    );
    console.log(`Last position: ${result.position}`);
    return 0;
  } finally {
    await store.close();
  }
});
