import { type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import type { SettingForm } from "./setting-values.ts";

/** What follows when less is kept than before. */
export function shortenedWords(names: readonly SettingName[], values: SettingForm): string {
  const parts = names.map((name) => `${settingRow(name).label}: ${values[name]} days`);
  return `${parts.join("; ")}. Older data is permanently deleted within an hour. This can't be undone.`;
}
