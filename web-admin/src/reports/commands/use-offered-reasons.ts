import { useSettings } from "../../shared/use-settings.ts";

/**
 * The codes of reasons for rejection that admins have not switched off. None until that is known, so that no
 * reason changes its number; all where it cannot be read, because the server refuses the others.
 */
export function useOffered(codes: readonly string[]): readonly string[] {
  const { data, isPending } = useSettings();
  if (isPending) return [];
  return codes.filter((code) => !data?.rejectReasonsOff.includes(code));
}
