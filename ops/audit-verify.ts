/** `npm run audit:verify`: walks the log and reports the first event that does not follow from the others. */
import { faultSentence, verifyLog } from "#event-store/audit-verify.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { takesNoArguments } from "#runtime/lifecycle/usage.ts";
import { runWithStores } from "./with-stores.ts";

takesNoArguments("audit:verify");
await runWithStores(async ({ instance }) => {
  const store = await openEventStore(instance.stores.EVENT_STORE_URL, { install: false });
  try {
    const result = await verifyLog(store, {
      onProgress: ({ events }) => console.log(`  ${events} events verified...`),
    });
    const { events, streams, seconds, fault } = result;
    if (fault) {
      console.error(faultSentence(fault));
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
