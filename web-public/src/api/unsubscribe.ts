import type { Unsubscribed } from "#contracts/http/unsubscribe.ts";
import type { ApiClient, CommandReply } from "./client.ts";

/** POST /api/unsubscribe/{token}: switches the mails of the link off, or on again. */
export function setWanted(
  api: ApiClient,
  token: string,
  wanted: boolean,
): Promise<CommandReply<Unsubscribed>> {
  return api.post(`/api/unsubscribe/${encodeURIComponent(token)}`, { body: { wanted } });
}
