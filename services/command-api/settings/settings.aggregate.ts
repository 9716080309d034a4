import { streams } from "#contracts/events/index.ts";
import { evolveSettings, type SettingsState } from "#contracts/events/settings/settings-fold.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import type { SettingsCommand } from "./settings.commands.ts";
import { decideSettings } from "./settings.decider.ts";

/** The stream, key, fold and decider of the settings. */
export const settingsAggregate: Aggregate<SettingsState, SettingsCommand> = {
  stream: streams.settings,
  subjects: { content: subjects.settings },
  bodySubjects: [subjects.settings],
  clientSubject: (caller) => ownSubject(caller) ?? subjects.settings,
  newSubjects: () => [{ subject: subjects.settings }],
  evolve: evolveSettings,
  decide: decideSettings,
};
