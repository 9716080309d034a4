import { describe, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import { accountClosed, accountRegistered, sessionsEnded } from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "./account.decider.ts";

const moment = { now: "2026-11-21T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const given = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });
const own = { id: "session", accountRevision: 0 };
const off = { type: "SetNotifications", own, set: { decisions: false } } as const;
const byLink = {
  type: "SetNotifications",
  email: "rae@shop.example",
  set: { decisions: false },
} as const;
const isOff = (by: "owner" | "unsubscribe_link"): UserEvent => ({
  type: "NotificationsSet",
  data: { by, decisions: false },
});

describe("the notifications of an account", () => {
  it("record the changed settings and who changed them", () => {
    given(accountRegistered()).when(off).gives(isOff("owner"));
    given(accountRegistered()).when(byLink).gives(isOff("unsubscribe_link"));
  });

  it("record nothing if no setting changes", () => {
    const set = { decisions: true, same_person: false };
    given(accountRegistered())
      .when({ ...off, set })
      .gives();
    given(accountRegistered(), isOff("owner")).when(byLink).gives();
    given(accountRegistered())
      .when({ ...byLink, email: "former@shop.example" })
      .gives();
  });

  it("cannot be set from an ended session, and a link does nothing once the account has ended", () => {
    given(accountRegistered(), sessionsEnded("signed_out")).when(off).isRefused("invalid_token");
    given().when(byLink).gives();
    const closed = accountClosed("admin", "2026-11-21T10:30:00.000Z");
    given(accountRegistered(), closed).when(byLink).gives();
    given(accountRegistered(), { type: "AccountErased", data: {} }).when(byLink).gives();
  });
});
