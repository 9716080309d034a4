import type { OperatorCommand, OperatorContext } from "#services/projector/cli/operator.ts";
import { projectorConfig } from "../service-configs.ts";
import { readArguments } from "./usage.ts";
import { type CommandContext, runWithStores } from "./with-stores.ts";

/** What a command of the projector is given, over the stores of this instance. */
export function operatorContext({ instance }: CommandContext): OperatorContext {
  return {
    config: projectorConfig(instance),
    log: instance.log("command"),
    print: (line) => console.log(line),
    warn: (line) => console.error(line),
  };
}

/** Runs one of the projector's commands with the arguments of this process. */
export async function runOnProjectorStores<Given>({
  usage,
  parse,
  run,
}: OperatorCommand<Given>): Promise<never> {
  const given = readArguments(usage, parse);
  return runWithStores((context) => run(given, operatorContext(context)));
}
