import type { Caller } from "../kernel/envelope.ts";
import { hashOfSecret, newSecret } from "../kernel/secrets.ts";
import { sessionOver } from "./account.decider.ts";
import type { Account, AccountStore } from "./account.store.ts";
import type { CredentialChange } from "./credential.store.ts";
import type { SignToken } from "./session-start.ts";

/** The new tokens of the session that changed a credential; its previous ones are void. */
export interface RenewedTokens {
  readonly token: string;
  readonly refreshToken: string;
}

/** Creates what lets one session survive a change of credentials. */
export function keepSession(sessionId: string): {
  readonly refreshToken: string;
  readonly kept: NonNullable<CredentialChange["kept"]>;
} {
  const refreshToken = newSecret();
  const tokenHash = hashOfSecret(refreshToken);
  return { refreshToken, kept: { sessionId, tokenHash } };
}

/** @throws {DomainError} `invalid_token` if the account no longer exists. */
export async function renewTokens(
  accounts: Pick<AccountStore, "byId">,
  { actor: { id, sessionId = "" } }: Caller,
  refreshToken: string,
  sign: SignToken,
): Promise<RenewedTokens> {
  const account: Account | undefined = await accounts.byId(id);
  if (!account) throw sessionOver();
  return { token: sign({ ...account, sessionId }), refreshToken };
}
