import {
  type FactorReset,
  FactorResetsReply,
  ProtectedAdminsReply,
} from "#contracts/http/two-factor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { type ActorNames, fullName } from "../actors/actor-names.ts";
import type { ReadYourWrites } from "../freshness/read-your-writes.ts";
import { openPart } from "../profile/account-part.ts";
import { reads } from "../reads.ts";
import { findFactorResets, findProtectedAdmins } from "./factor-resets.queries.ts";

/** What admins decide about together: the second factors of admins that are to be switched off. */
export function factorResetRoutes(
  app: ServiceInstance,
  deps: {
    readonly db: ReadModelDatabase;
    readonly keys: KeyStore;
    readonly names: ActorNames;
    readonly freshness: ReadYourWrites;
  },
): void {
  const { db, keys, names, freshness } = deps;
  const read = reads(["admin"], "accounts", freshness.waitFor(["accounts", "audit"], "any"));
  app.get(
    "/prod/api/admin/factor-resets",
    read({
      summary: "Open requests to switch the second factor of an admin off",
      reply: FactorResetsReply,
    }),
    async ({ log }) => {
      const rows = await findFactorResets(db, new Date());
      const parts = rows.map(({ factor_reset }) => factor_reset.said.account.key);
      const [found, staff] = await Promise.all([
        keys.get([...new Set(parts)]),
        names.staffAmong(
          rows.flatMap(({ id, factor_reset }) => [id, factor_reset.requested_by]),
          log,
        ),
      ]);
      const nameOf = (id: string) => {
        const name = staff.get(id);
        return name ? fullName(name) : "";
      };
      return succeed(
        rows.map(({ id, factor_reset: { request_id, requested_by, effective_at, said } }) => {
          const { reason = "" } = openPart(id, said, found) as { readonly reason?: string };
          return {
            account_id: id,
            account_name: nameOf(id),
            request_id,
            requested_by,
            requested_by_name: nameOf(requested_by),
            reason,
            effective_at,
          } satisfies FactorReset;
        }),
      );
    },
  );
  app.get(
    "/prod/api/admin/factor-resets/admins",
    read({
      summary: "Other admins with a second factor, by name",
      reply: ProtectedAdminsReply,
    }),
    async ({ actor, log }) => {
      const ids = await findProtectedAdmins(db, actor.id);
      const staff = await names.staffAmong(ids, log);
      const admins = ids.map((id) => {
        const name = staff.get(id);
        return { account_id: id, account_name: name ? fullName(name) : "" };
      });
      admins.sort((one, other) => one.account_name.localeCompare(other.account_name, "en"));
      return succeed(admins);
    },
  );
}
