import type { Preferences, SetPreferences } from "#contracts/http/account.ts";
import type { Unsubscribed } from "#contracts/http/unsubscribe.ts";
import type { ApiClient, CommandReply } from "./client.ts";

/** Which mails an account gets, and whether its address is confirmed: without that it gets none. */
export interface OwnPreferences {
  readonly preferences: Preferences;
  readonly confirmed: boolean;
}

/** GET /api/auth/preferences */
export function readPreferences(api: ApiClient, signal?: AbortSignal): Promise<OwnPreferences> {
  return api.get("/api/auth/preferences", { signal });
}

/** PUT /api/auth/preferences: what is absent stays as it is. */
export function setPreferences(
  api: ApiClient,
  body: SetPreferences,
): Promise<CommandReply<Pick<OwnPreferences, "preferences">>> {
  return api.put("/api/auth/preferences", { body });
}

/** POST /api/unsubscribe/{token}: switches the mails of the link off, or on again. */
export function setWanted(
  api: ApiClient,
  token: string,
  wanted: boolean,
): Promise<CommandReply<Unsubscribed>> {
  return api.post(`/api/unsubscribe/${encodeURIComponent(token)}`, { body: { wanted } });
}
