import { describe, expect, it, onTestFinished, vi } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope } from "../kernel/envelope.ts";
import { browser, openAccounts } from "../testing/accounts.fixture.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { emailChangeCalls } from "../testing/email-changes.fixture.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { CredentialStore } from "./credential.store.ts";

const fixture = forFile(() => startCommandApi());

const calls = emailChangeCalls(() => fixture);
const { ask, confirm, eventsOf, linkOf, login, pending, registrationOf, typesOf } = calls;

const openLink = async (id: string) =>
  fixture.call("POST", `/prod/api/verify-email/${await registrationOf(id)}`, {
    body: { start_over: true },
  });

describe("the link of an account that lost its address to a change that failed", () => {
  it("does not confirm another account's address", async () => {
    const [former, victim] = [await pending(), await pending()];
    await ask(victim.token, former.email);
    const failed = vi
      .spyOn(CredentialStore.prototype, "change")
      .mockRejectedValueOnce(new Error("died"));
    onTestFinished(() => failed.mockRestore());
    expect((await confirm(await linkOf(victim.id), victim.token)).statusCode).toBe(500);
    const replaced = (await eventsOf(former.id)).at(-1);
    expect(replaced?.type).toBe("AccountReplaced");
    expect(replaced?.data.replaced_by).not.toBe(victim.id);
    const opened = await openLink(former.id);
    expect(opened.json().error?.code, opened.body).toBe("link_invalid");
    expect(await typesOf(victim.id)).toEqual(["AccountRegistered", "EmailChangeRequested"]);
    // Whoever registers the address next gets it, and the link becomes theirs.
    const next = await pending(former.email);
    expect(next.id).toBe(replaced?.data.replaced_by);
    expect((await openLink(former.id)).json().data.next).toBe("set_password");
    expect((await typesOf(next.id)).slice(1, 2)).toEqual(["EmailConfirmed"]);
  });

  it("does not confirm an older account that the log names, with or without the replaced one's key", async () => {
    const [former, victim] = [await pending(), await pending()];
    const { handler } = await openAccounts(fixture);
    const command = { type: "ReplaceAccount", by: victim.id } as const;
    await handler.execute(accountAggregate(former.id), command, newEnvelope(browser(new Date())));
    const refused = async () => {
      const opened = await openLink(former.id);
      expect(opened.json().error?.code, opened.body).toBe("link_invalid");
    };
    await refused();
    await fixture.api.keys.destroy([subjects.account(former.id)], new Date().toISOString());
    await refused();
    expect(await typesOf(victim.id)).toEqual(["AccountRegistered"]);
    expect((await login(victim.email)).json().data.user).toMatchObject({ confirmed: false });
  });
});
