import { useDataProvider } from "react-admin";
import type { ContentBody, ContentCommandName } from "#contracts/http/content.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useCommands } from "../shared/use-commands.ts";

/** Sends commands about texts, one at a time. Each waits for the server. */
export function useTextCommands() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const commands = useCommands<ContentCommandName>("content_changed", [["content", "getList"]]);
  return {
    ...commands,
    send<N extends ContentCommandName>(name: N, id: string | undefined, body: ContentBody<N>) {
      return commands.send(name, () => provider.commandText(name, id, body));
    },
  };
}
