import type { FastifyBaseLogger } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { given } from "#contracts/given.ts";
import { ProfileReply, type User } from "#contracts/http/auth.ts";
import { succeed } from "#http/envelope.ts";
import { messages } from "#http/errors.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { KeyMissing } from "#vault/sealing/event-codec.ts";
import { openColumn } from "#vault/sealing/seal.ts";
import type { ActorNames } from "../actors/actor-names.ts";
import type { ReadYourWrites } from "../freshness/read-your-writes.ts";
import { type AccountRow, findAccount } from "./profile.queries.ts";

export interface ProfileRouteDeps {
  readonly db: ReadModelDatabase;
  readonly keys: KeyStore;
  readonly names: ActorNames;
  readonly freshness: ReadYourWrites;
}

/** The signed-in account, as its owner sees it. */
export function profileRoutes(app: ServiceInstance, deps: ProfileRouteDeps): void {
  const { db, keys, names, freshness } = deps;

  async function userOf(account: AccountRow, log: FastifyBaseLogger): Promise<User> {
    const words = await names.own(account.id, log);
    const last_login = account.last_login_at?.toISOString();
    return {
      id: account.id,
      first_name: "",
      last_name: "",
      ...words,
      email: await openEmail(account, keys),
      role: account.role,
      confirmed: account.confirmed,
      created_at: account.created_at.toISOString(),
      ...given({ last_login }),
    };
  }

  app.get(
    "/prod/api/auth/profile",
    {
      config: { roles: ["user", "admin", "auditor"], limit: "read" },
      schema: { tags: ["accounts"], summary: "Who is signed in", response: { 200: ProfileReply } },
      preHandler: freshness.waitFor(["audit"], "one"),
    },
    async (request) => {
      const account = await findAccount(db, request.actor.id);
      if (!account) throw new DomainError("invalid_token", messages.invalid_token);
      return succeed({ user: await userOf(account, request.log) });
    },
  );
}

/** Empty once the account is erased. @throws {KeyMissing} */
async function openEmail(account: AccountRow, keys: KeyStore): Promise<string> {
  const { id: rowId, email_sealed: sealed } = account;
  const found = (await keys.get([sealed.key])).get(sealed.key);
  if (found?.state === "destroyed") return "";
  if (found?.state !== "present") throw new KeyMissing(sealed.key);
  return String(
    openColumn(found.key, sealed, { table: "command.account", column: "email_sealed", rowId }),
  );
}
