import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { PreferencesReply } from "#contracts/http/account.ts";
import { ProfileReply, type Role } from "#contracts/http/auth.ts";
import { succeed } from "#http/envelope.ts";
import { messages } from "#http/errors.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { presentProfile } from "./profile.presenter.ts";
import { findPreferences, findProfile } from "./profile.queries.ts";

/** The signed-in account, as its owner sees it. */
export function profileRoutes(app: ServiceInstance, { db, keys, freshness }: ReadSide): void {
  const read = reads(
    ["user", "admin", "auditor"],
    "accounts",
    freshness.waitFor(["accounts"], "one"),
  );
  app.get(
    "/prod/api/auth/profile",
    {
      config: { roles: ["user", "admin", "auditor"], limit: "read" },
      schema: { tags: ["accounts"], summary: "Who is signed in", response: { 200: ProfileReply } },
      preHandler: freshness.waitFor(["accounts", "reports"], "one"),
    },
    async ({ actor }, reply) => {
      const now = new Date();
      const account = await findProfile(db, actor.id, now);
      // Whoever is signed in has an account: the projector has not come to it yet.
      if (!account) throw new DomainError("unavailable", messages.unavailable);
      await freshness.markParked(reply, ["accounts", "reports"], streams.user(actor.id));
      return succeed({ user: await presentProfile(account, actor.role as Role, keys, now) });
    },
  );

  app.get(
    "/prod/api/auth/preferences",
    read({
      summary: "Which emails you get",
      reply: PreferencesReply,
    }),
    async ({ actor }, reply) => {
      const account = await findPreferences(db, actor.id);
      if (!account) throw new DomainError("unavailable", messages.unavailable);
      await freshness.markParked(reply, ["accounts"], streams.user(actor.id));
      return succeed(account);
    },
  );
}
