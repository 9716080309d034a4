import { MODERATION } from "#contracts/http/moderation.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleCommand } from "./report-commands.ts";

/** The sentence when a command is done. */
export function doneText({ name, done }: ConsoleCommand): string {
  return done ?? MODERATION[name].done;
}

/** The sentence for a failed command. */
export function failureText({ failed, error: begin = failed }: ConsoleCommand, error: unknown) {
  const message = messageOf(error, "");
  return message ? `${begin}: ${message}` : failed;
}
