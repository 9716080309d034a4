import { commandApiConfig } from "#launcher/service-configs.ts";
import { type CommandApi, composeCommandApi } from "#services/command-api/composition.ts";
import { type CommandContext, runWithStores } from "./with-stores.ts";

/** Runs an operator's command on the command side's services, over the stores of this instance. */
export function runOnCommandSide(
  command: (api: CommandApi, context: CommandContext) => Promise<number | undefined>,
): Promise<never> {
  return runWithStores(async (context) => {
    const { instance } = context;
    const api = await composeCommandApi(commandApiConfig(instance), instance.log("command"));
    try {
      return await command(api, context);
    } finally {
      await api.stop();
    }
  });
}
