import { given } from "#contracts/given.ts";
import type { NewTokens } from "./account-security.ts";
import type { ApiClient, CommandReply } from "./client.ts";

/** POST /api/auth/change-email: a link goes to the new address. */
export function changeEmail(
  api: ApiClient,
  email: string,
  code?: string,
): Promise<CommandReply<never>> {
  return api.post("/api/auth/change-email", { body: { email, ...given({ code }) } });
}

/** DELETE /api/auth/change-email: nobody waits for the other address any more, and its link is void. */
export function withdrawEmailChange(api: ApiClient): Promise<CommandReply<never>> {
  return api.delete("/api/auth/change-email");
}

/** POST /api/auth/confirm-email-change, by the link of that mail: all other sessions end. */
export function confirmEmailChange(
  api: ApiClient,
  token: string,
): Promise<CommandReply<NewTokens>> {
  return api.post("/api/auth/confirm-email-change", { body: { token } });
}

/** POST /api/auth/undo-email-change, by the link in the mail to the former address. */
export function undoEmailChange(
  api: ApiClient,
  token: string,
): Promise<CommandReply<{ reset_token?: string }>> {
  return api.post("/api/auth/undo-email-change", { body: { token } });
}
