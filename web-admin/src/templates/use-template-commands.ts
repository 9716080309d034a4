import { useDataProvider } from "react-admin";
import type { TemplateBody, TemplateCommandName } from "#contracts/http/admin-templates.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useCommands } from "../shared/use-commands.ts";
import { useProof } from "../shared/use-proof.tsx";

/** What is read again after each command, and by what. */
export const ALL_TEMPLATES = ["templates", "all"] as const;

/** Sends commands about templates of mails, one at a time. The password is asked for where it is needed. */
export function useTemplateCommands() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const proof = useProof();
  const commands = useCommands<TemplateCommandName>("template_changed", [ALL_TEMPLATES]);
  return {
    ...commands,
    /** To be rendered where commands are sent, outside of forms. */
    dialog: proof.dialog,
    send<N extends TemplateCommandName>(
      name: N,
      kind: string,
      id: string | undefined,
      body: TemplateBody<N>,
    ) {
      return commands.send(name, () =>
        proof.run(() => provider.commandTemplate(name, kind, id, body)),
      );
    },
  };
}
