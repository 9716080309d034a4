import { given } from "#contracts/given.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { UsageError, unknownWord } from "#runtime/lifecycle/usage.ts";
import { listParked } from "../daemon/parked.ts";
import { retryParked } from "../daemon/retry-parked.ts";
import { type OperatorCommand, type OperatorContext, withProjectorStores } from "./operator.ts";

interface Given {
  readonly verb: "list" | "retry";
  readonly only: { readonly processor?: ProcessorName; readonly stream?: string };
}

/** `npm run parked [-- list|retry [processor] [stream]]` */
export const parkedCommand: OperatorCommand<Given> = {
  usage:
    "Usage: npm run parked               lists what is parked, and why\n" +
    "       npm run parked -- retry [processor] [stream]",
  parse(args) {
    const [verb = "list", name, stream, ...more] = args;
    if (verb !== "list" && verb !== "retry") throw unknownWord("verb", verb, ["list", "retry"]);
    const processor = PROCESSORS.find((known) => known === name);
    if (name !== undefined && !processor) throw unknownWord("processor", name, PROCESSORS);
    if (more.length > 0) throw new UsageError(`Unexpected argument: ${JSON.stringify(more[0])}.`);
    return { verb, only: given({ processor, stream }) };
  },
  run: runParked,
};

/** @returns the exit code: 0, or 1 when something is still parked after a retry. */
async function runParked({ verb, only }: Given, context: OperatorContext): Promise<number> {
  const { print } = context;
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
