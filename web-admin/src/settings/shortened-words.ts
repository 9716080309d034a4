import { type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import type { SettingForm } from "./setting-values.ts";

/** What follows when less is kept than before. */
export function shortenedWords(names: readonly SettingName[], values: SettingForm): string {
  const parts = names.map((name) => `${settingRow(name).label}: ${values[name]} days`);
  return `${parts.join("; ")}. What is older is deleted for good within the hour, and no setting brings it back.`;
}
