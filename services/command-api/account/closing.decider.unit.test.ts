import { describe, expect, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import {
  accountAdded,
  accountClosed,
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
const own = { id: "session", accountRevision: 0 };
const close = { type: "CloseAccount", own } as const;
const closed = accountClosed("owner", "2026-11-28T10:00:00.000Z");

describe("an account that its owner deletes", () => {
  it("is closed, and erased seven days later, whether or not its address is confirmed", () => {
    given(accountAdded("user")).when(close).gives(closed);
    given(accountRegistered()).when(close).gives(closed);
  });

  it("is erased once due, and until then reopened by signing in", () => {
    const at = (erase_at: string): UserEvent => ({
      type: "AccountClosed",
      data: { by: "owner", erase_at },
    });
    const isDue = { type: "EraseAccount", isDue: true } as const;
    const back = { type: "TakeBackAccount", accountRevision: 1 } as const;
    const reopened: UserEvent = { type: "AccountReopened", data: { by: "owner" } };
    const waiting = given(accountAdded("user"), at("2026-11-21T10:00:00.001Z"));
    waiting.when(isDue).gives();
    waiting.when(back).gives(reopened);
    // The credentials were checked before an event that ended the sessions.
    waiting.when({ ...back, accountRevision: 0 }).gives();
    const due = given(accountAdded("user"), at(moment.now));
    due.when(isDue).gives({ type: "AccountErased", data: {} });
    due.when(back).gives();
    given(accountAdded("user")).when(isDue).gives();
    given(accountAdded("user")).when(back).gives();
    given(accountAdded("user"), closed, reopened).when(isDue).gives();
    given(accountAdded("user"), closed, reopened).when(close).isRefused("invalid_token");
    given(accountAdded("user"), closed, reopened)
      .when({ ...close, own: { ...own, accountRevision: 2 } })
      .gives(closed);
    const erased: UserEvent = { type: "AccountErased", data: {} };
    given(accountAdded("user"), closed, erased).when(back).gives();
  });

  it("is not reopened by signing in if staff closed it", () => {
    const byStaff = accountClosed("admin", "2026-11-28T10:00:00.000Z");
    const after = given(accountAdded("user"), byStaff);
    after.when({ type: "TakeBackAccount", accountRevision: 1 }).gives();
    after.when({ type: "RequestPasswordReset", device: "unknown" }).gives();
    after.when({ type: "RequestDeviceConfirmation" }).gives();
  });

  it("does not keep an unconfirmed address from its owner", () => {
    given(accountRegistered(), closed)
      .when({ type: "ReplaceAccount", by: "other" })
      .gives({ type: "AccountErased", data: {} });
    given(accountRegistered(), closed)
      .when({ type: "RequestPasswordReset", device: "unknown" })
      .gives();
  });

  it("is closed or reopened again if a restored log has lost that", () => {
    const LATER = "2026-11-30T10:00:00.000Z";
    const restore = (eraseAt: string | null, by: "owner" | "admin" = "owner") =>
      ({ type: "RestoreClosing", eraseAt, by }) as const;
    given(accountAdded("user")).when(restore(LATER)).gives(accountClosed("owner", LATER));
    given(accountAdded("user")).when(restore(LATER, "admin")).gives(accountClosed("admin", LATER));
    given(accountAdded("user"), accountClosed("owner", LATER)).when(restore(LATER)).gives();
    // Reopened and deleted again since: the last deletion counts.
    given(accountAdded("user"), closed).when(restore(LATER)).gives(accountClosed("owner", LATER));
    const reopened: UserEvent = { type: "AccountReopened", data: { by: "owner" } };
    given(accountAdded("user"), accountClosed("owner", moment.now))
      .when(restore(null))
      .gives(reopened);
    given(accountAdded("user")).when(restore(null)).gives();
    given(accountAdded("admin")).when(restore(LATER)).gives();
    given(accountAdded("admin"), accountClosed("admin")).when(restore(null)).gives();
    given(accountAdded("user"), { type: "AccountErased", data: {} }).when(restore(LATER)).gives();
  });

  it("is neither a staff account nor one whose session has ended", () => {
    given(accountAdded("admin")).when(close).isRefused("staff_account");
    given(accountAdded("user"), sessionsEnded("signed_out")).when(close).isRefused("invalid_token");
    given().when(close).isRefused("invalid_token");
  });

  it("rejects its old sessions, but allows what its owner needs to reopen it", () => {
    const asked = passwordResetRequested(link("reset-0", "2026-11-21T11:00:00.000Z"));
    const after = given(accountAdded("user"), asked, closed);
    after.when(close).isRefused("invalid_token");
    after.when({ type: "ChangePassword", own }).isRefused("invalid_token");
    after
      .when({ type: "SetPassword", linkId: "reset-0", blind })
      .gives(
        { type: "PasswordChanged", data: { by: "reset_link", link_id: "reset-0" } },
        { type: "SessionsEnded", data: { cause: "password_changed" } },
      );
    expect(after.when({ type: "RequestPasswordReset", device: "unknown" }).events).toMatchObject([
      { type: "PasswordResetRequested" },
    ]);
    expect(after.when({ type: "RequestDeviceConfirmation" }).events).toMatchObject([
      { type: "DeviceConfirmationRequested" },
    ]);
    expect(after.when({ type: "NoteRegistration" }).events).toMatchObject([
      { type: "RegistrationAttempted" },
    ]);
    after.when({ type: "ReplaceAccount", by: "other" }).gives();
    after.when({ type: "EraseAccount" }).gives({ type: "AccountErased", data: {} });
  });
});
