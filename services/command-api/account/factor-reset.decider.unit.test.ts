import { describe, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "./account.decider.ts";

const moment = { now: "2026-11-22T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const given = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });
const [ASKER, SECOND, OWNER] = ["asker", "second", "owner"];
const added: UserEvent = {
  type: "AccountAdded",
  data: { role: "admin", account: { email: "a@b.example", first_name: "A", last_name: "B" } },
};
const enabled = (factor_id = "factor"): UserEvent => ({
  type: "TwoFactorEnabled",
  data: { factor_id, method: "totp", codes_id: "codes", recovery_codes: 10 },
});
const told = [ASKER, SECOND];
const requested = (
  effective_at = "2026-11-23T10:00:00.000Z",
  request_id = "request",
): UserEvent => ({
  type: "TwoFactorResetRequested",
  data: {
    request_id,
    factor_id: "factor",
    requested_by: ASKER,
    effective_at,
    told,
    account: { reason: "Lost" },
  },
});
const objected: UserEvent = {
  type: "TwoFactorResetObjected",
  data: { request_id: "request", objected_by: OWNER, told },
};
const reset: UserEvent[] = [
  { type: "TwoFactorReset", data: { factor_id: "factor", told } },
  { type: "SessionsEnded", data: { cause: "two_factor_changed" } },
];
const ask = {
  type: "RequestTwoFactorReset",
  requestId: "request",
  by: ASKER,
  ownerId: OWNER,
  told,
  reason: "Lost",
} as const;
const admins = [ASKER, SECOND, OWNER];
const confirm = {
  type: "ConfirmTwoFactorReset",
  requestId: "request",
  by: SECOND,
  isProtected: true,
  admins,
  told,
} as const;
const object = { type: "ObjectToTwoFactorReset", requestId: "request", by: OWNER, told } as const;
const complete = { type: "CompleteTwoFactorReset", admins, told } as const;
const PAST = "2026-11-22T10:00:00.000Z";

describe("the second factor of an admin", () => {
  it("is asked to be reset by another admin, one request at a time", () => {
    given(added, enabled()).when(ask).gives(requested());
    given(added, enabled(), requested()).when(ask).isRefused("conflict");
    given(added, enabled(), requested(), objected).when(ask).gives(requested());
    given(added, enabled(), requested(PAST, "former")).when(ask).gives(requested());
    given(added, enabled())
      .when({ ...ask, by: OWNER })
      .isRefused("forbidden");
    given(added).when(ask).isRefused("two_factor_off");
    given().when(ask).isRefused("account_not_found");
  });

  it("is reset once a second admin confirms, who was one before, with a second factor from before", () => {
    const asked = given(added, enabled(), requested());
    asked.when(confirm).gives(...reset);
    for (const by of [ASKER, OWNER, "made an admin since"])
      asked.when({ ...confirm, by }).isRefused("forbidden");
    asked.when({ ...confirm, isProtected: false }).isRefused("forbidden");
    asked.when({ ...confirm, requestId: "another" }).isRefused("not_found");
    asked.when({ ...confirm, admins: [SECOND, OWNER] }).isRefused("not_found");
  });

  it("stays on when any admin objects, the owner and who asked included", () => {
    for (const by of [OWNER, ASKER, "made an admin since"])
      given(added, enabled(), requested())
        .when({ ...object, by })
        .gives({
          type: "TwoFactorResetObjected",
          data: { ...objected.data, objected_by: by },
        } as UserEvent);
    const after = given(added, enabled(), requested(), objected);
    after.when(object).isRefused("not_found");
    after.when(confirm).isRefused("not_found");
    after.when(complete).gives();
  });

  it("is reset after a day without an objection, unless whoever asked is no admin any more", () => {
    given(added, enabled(), requested(PAST))
      .when(complete)
      .gives(...reset);
    given(added, enabled(), requested("2026-11-22T10:00:00.001Z")).when(complete).gives();
    given(added, enabled(), requested(PAST))
      .when({ ...complete, admins: [SECOND, OWNER] })
      .gives();
    given(added, enabled(), requested(PAST)).when(object).isRefused("not_found");
    given(added, enabled(), requested(PAST)).when(confirm).isRefused("not_found");
  });

  it("is not reset where it is another one by now", () => {
    const disabled: UserEvent = { type: "TwoFactorDisabled", data: { factor_id: "factor" } };
    for (const between of [[disabled], reset]) {
      const again = given(added, enabled(), requested(PAST), ...between, enabled("another"));
      again.when(complete).gives();
      again.when(confirm).isRefused("not_found");
    }
  });
});
