import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { emailChangeCalls } from "../testing/email-changes.fixture.ts";

const fixture = forFile(() => startCommandApi());

const { ask, change, confirm, linkOf, member, someAddress, typesOf } = emailChangeCalls(
  () => fixture,
);
const withdraw = (token?: string) =>
  fixture.api.app.inject({
    method: "DELETE",
    url: "/prod/api/auth/change-email",
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    payload: {},
  });

describe("a request for another address", () => {
  it("is withdrawn: its link is void, and the address stays", async () => {
    const ann = await member();
    await ask(ann.token, someAddress());
    const link = await linkOf(ann.id);
    const withdrawn = await withdraw(ann.token);
    expect(withdrawn.json()).toEqual({
      success: true,
      message: "Your email address stays the same. The link no longer works.",
    });
    expect((await typesOf(ann.id)).at(-1)).toBe("EmailChangeWithdrawn");
    const confirmed = await confirm(link, ann.token);
    expect([confirmed.statusCode, confirmed.json().error.code]).toEqual([400, "link_invalid"]);
  });

  it("can be made again afterwards", async () => {
    const ann = await member();
    const email = someAddress();
    await ask(ann.token, email);
    await withdraw(ann.token);
    await change(ann, email);
    expect(await typesOf(ann.id)).toContain("EmailChanged");
  });

  it("is withdrawn once; without one the answer is the same, and nothing happens", async () => {
    const ann = await member();
    await ask(ann.token, someAddress());
    const [first, second] = [await withdraw(ann.token), await withdraw(ann.token)];
    expect([second.statusCode, second.json()]).toEqual([200, first.json()]);
    const types = await typesOf(ann.id);
    expect(types.filter((type) => type === "EmailChangeWithdrawn")).toHaveLength(1);
    expect((await withdraw((await member()).token)).statusCode).toBe(200);
  });

  it("is withdrawn by who is signed in alone", async () => {
    expect((await withdraw()).statusCode).toBe(401);
  });
});
