import type { SystemSettings } from "#contracts/http/settings.ts";
import { SYSTEM_SETTINGS } from "#contracts/settings/settings-at.ts";
import { useRead } from "./use-read.ts";

/** The registry's settings as they are now; read again when somebody changes them. */
export function useSettings() {
  return useRead<SystemSettings>(["settings"], SYSTEM_SETTINGS);
}

/**
 * The codes of reasons for rejection that admins have not switched off. None until that is known, so that no
 * reason changes its number; all where it cannot be read, because the server refuses the others.
 */
export function useOffered(codes: readonly string[]): readonly string[] {
  const { data, isPending } = useSettings();
  if (isPending) return [];
  return codes.filter((code) => !data?.rejectReasonsOff.includes(code));
}
