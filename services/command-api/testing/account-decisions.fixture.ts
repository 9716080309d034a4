import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import { accountRegistered, emailConfirmed } from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "../account/account.decider.ts";

/** When the decisions by staff about accounts are made. */
export const moment = {
  now: "2026-11-22T10:00:00.000Z",
  newId: "11111111-1111-4111-8111-111111111111",
};
export const given = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });
export const [ADMIN, OWNER] = ["admin", "owner"];
export const TOMORROW = "2026-11-23T10:00:00.000Z";
export const YESTERDAY = "2026-11-21T10:00:00.000Z";
export const admins = [ADMIN, "second"];
export const notifying = { ownerId: OWNER, by: [ADMIN], seen: undefined, admins };
export const registered = accountRegistered();
export const confirmed = emailConfirmed();
export const unbanned: UserEvent = { type: "AccountUnbanned", data: { by: "staff" } };
export const ban = {
  type: "BanAccount",
  reason: "Made reports up",
  reasonCode: undefined,
  until: TOMORROW,
  ...notifying,
} as const;
