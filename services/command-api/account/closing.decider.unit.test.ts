import { describe, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import {
  accountRegistered,
  link,
  passwordResetRequested,
  sessionsEnded,
} from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "./account.decider.ts";

const moment = { now: "2026-11-21T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const given = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });

const blind = { email: "keyed hash" };
const account = { email: "rae@shop.example", first_name: "Rae", last_name: "Holt", blind };
const added = (role: "user" | "admin"): UserEvent => ({
  type: "AccountAdded",
  data: { role, account },
});
const own = { id: "session", accountRevision: 0 };
const close = { type: "CloseAccount", own } as const;
const closed: UserEvent = {
  type: "AccountClosed",
  data: { by: "owner", erase_at: "2026-11-21T10:30:00.000Z" },
};

describe("an account that its owner deletes", () => {
  it("is closed, and erased half an hour later, whether its address is confirmed or not", () => {
    given(added("user")).when(close).gives(closed);
    given(accountRegistered()).when(close).gives(closed);
  });

  it("is kept until no former address can undo a change any more", () => {
    const changed = (id: string, expires_at: string): UserEvent => ({
      type: "EmailChanged",
      data: {
        link_id: id,
        undo_link: link(id, expires_at),
        account: { email: "new@shop.example", blind, former_email: "rae@shop.example" },
      },
    });
    const at = (erase_at: string): UserEvent => ({
      type: "AccountClosed",
      data: { by: "owner", erase_at },
    });
    const [open, last] = ["2026-11-27T10:00:00.000Z", "2026-11-28T10:00:00.000Z"];
    given(added("user"), changed("one", open), changed("two", last)).when(close).gives(at(last));
    given(added("user"), changed("one", "2026-11-21T10:29:59.999Z")).when(close).gives(closed);
    const isDue = { type: "EraseAccount", isDue: true } as const;
    given(added("user"), changed("one", open), at(open)).when(isDue).gives();
    given(added("user"), at(moment.now)).when(isDue).gives({ type: "AccountErased", data: {} });
    given(added("user")).when(isDue).gives();
  });

  it("is none of staff, and none of a session that is over", () => {
    given(added("admin")).when(close).isRefused("staff_account");
    given(added("user"), sessionsEnded("signed_out")).when(close).isRefused("invalid_token");
    given().when(close).isRefused("invalid_token");
  });

  it("takes nothing any more from sessions, links and strangers, and is erased once", () => {
    const asked = passwordResetRequested(link("reset-0", "2026-11-21T11:00:00.000Z"));
    const after = given(added("user"), asked, closed);
    after.when(close).isRefused("invalid_token");
    after.when({ type: "ChangePassword", own }).isRefused("invalid_token");
    after.when({ type: "SetPassword", linkId: "reset-0", blind }).isRefused("link_invalid");
    after.when({ type: "RequestPasswordReset", device: "unknown" }).gives();
    after.when({ type: "RequestDeviceConfirmation" }).gives();
    after.when({ type: "NoteRegistration" }).gives();
    after.when({ type: "ReplaceAccount", by: "other" }).gives();
    after.when({ type: "EraseAccount" }).gives({ type: "AccountErased", data: {} });
  });
});
