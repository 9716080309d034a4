import type { CommandApi } from "#services/command-api/composition.ts";
import { type CommandContext, runWithStores } from "./with-stores.ts";

/** Runs an operator's command on the command side's services, over the stores of this instance. */
export function runOnCommandSide(
  command: (api: CommandApi, context: CommandContext) => Promise<number | undefined>,
): Promise<never> {
  return runWithStores(async (context) => {
    const { instance } = context;
    // Where they are used, since a wrong argument is said without loading a service.
    const { composeCommandApi } = await import("#services/command-api/composition.ts");
    const { commandApiConfig } = await import("#launcher/service-configs.ts");
    const api = await composeCommandApi(commandApiConfig(instance), instance.log("command"));
    try {
      return await command(api, context);
    } finally {
      await api.stop();
    }
  });
}
