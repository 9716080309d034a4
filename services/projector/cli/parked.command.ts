import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { listParked } from "../daemon/parked.ts";
import { retryParked } from "../daemon/retry-parked.ts";
import { type OperatorContext, withProjectorStores } from "./operator.ts";

const USAGE =
  "Usage: npm run parked               lists what is parked, and why\n" +
  "       npm run parked -- retry [processor] [stream]";

/**
 * `npm run parked [-- list|retry [processor] [stream]]`
 * @returns the exit code: 0, 1 when something is still parked after a retry, 2 for arguments that
 *   make no sense.
 */
export async function runParked(
  args: readonly string[],
  context: OperatorContext,
): Promise<number> {
  const { print } = context;
  const [verb = "list", processor, stream] = args;
  const known = processor === undefined || (PROCESSORS as readonly string[]).includes(processor);
  if (!["list", "retry"].includes(verb) || !known || args.length > 3) {
    print(USAGE);
    return 2;
  }
  const only = {
    ...(processor ? { processor: processor as ProcessorName } : {}),
    ...(stream ? { stream } : {}),
  };
  return withProjectorStores(context, async (stores) => {
    if (verb === "list") {
      const parked = await listParked(stores.pool, only);
      if (parked.length === 0) print("Nothing is parked.");
      for (const entry of parked) {
        print(`${entry.processor}  ${entry.stream}  since ${entry.since.toISOString()}`);
        print(`  ${entry.event_type} at ${entry.position}, tried ${entry.attempts} times:`);
        print(`  ${entry.cause}`);
        if (entry.events > 1) print(`  ${entry.events - 1} later events wait behind it`);
      }
      return 0;
    }
    const results = await retryParked(stores, only);
    if (results.length === 0) print("Nothing is parked.");
    for (const { processor, stream, applied, left, cause } of results)
      print(
        left === 0
          ? `${processor}  ${stream}  applied ${applied} events: no longer parked`
          : `${processor}  ${stream}  applied ${applied} events, ${left} still wait: ${cause}`,
      );
    return results.some(({ left }) => left > 0) ? 1 : 0;
  });
}
