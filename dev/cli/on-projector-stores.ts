import type { OperatorContext } from "#services/projector/cli/operator.ts";
import { projectorConfig } from "../service-configs.ts";
import { type CommandContext, runWithStores } from "./with-stores.ts";

/** What a command of the projector is given, over the stores of this instance. */
export function operatorContext({ instance }: CommandContext): OperatorContext {
  return {
    config: projectorConfig(instance),
    log: instance.log("command"),
    print: (line) => console.log(line),
  };
}

/** Runs one of the projector's commands with the arguments of this process. */
export function runOnProjectorStores(
  command: (args: readonly string[], context: OperatorContext) => Promise<number>,
): Promise<never> {
  return runWithStores((context) => command(process.argv.slice(2), operatorContext(context)));
}
