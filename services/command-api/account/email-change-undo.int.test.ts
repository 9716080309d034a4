import { describe, expect, it, onTestFinished, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { emailChangeCalls } from "../testing/email-changes.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";
import { newBrowser, totpCode } from "../testing/two-factor.fixture.ts";

const fixture = forFile(() => startCommandApi());

const calls = emailChangeCalls(() => fixture);
const { change, login, member, pending, send, setPassword, typesOf, undo, undoOf } = calls;
const OTHER = "Better-stapler-8";

/** Recovers an account and sets a new password. */
async function takeBack(link: string) {
  const undone = await undo(link);
  expect(undone.statusCode, undone.body).toBe(200);
  expect((await setPassword(undone.json().data.reset_token, OTHER)).statusCode).toBe(200);
}
const DAY_MS = 86_400_000;
async function setUp(token: string) {
  const { secret } = (await send("two-factor/setup", {}, token)).json().data;
  const confirmed = await send("two-factor/confirm", { code: totpCode(secret) }, token);
  const { token: kept, recovery_codes: codes } = confirmed.json().data;
  return { secret: secret as string, token: kept as string, codes: codes as string[] };
}
/** Turns on two-factor authentication. @returns the session's new token. */
const protect = async (token: string) => (await setUp(token)).token;
const close = (token: string, password = PASSWORD) =>
  fixture.call("DELETE", "/prod/api/auth/account", { body: { password }, token });

describe("the previous address", () => {
  it("recovers the account: sessions end, the password is void, and a new one is set", async () => {
    const ann = await member();
    const moved = await change(ann);
    const undone = await undo(await undoOf(ann.id));
    expect(undone.statusCode, undone.body).toBe(200);
    expect((await typesOf(ann.id)).slice(-3)).toEqual([
      "EmailChangeUndone",
      "PasswordResetRequested",
      "SessionsEnded",
    ]);
    expect((await send("logout", {}, moved.token)).statusCode).toBe(401);
    for (const email of [ann.email, moved.email])
      expect(refusal(await login(email))).toEqual([401, "invalid_credentials"]);
    const token = undone.json().data.reset_token;
    expect((await setPassword(token, OTHER)).statusCode).toBe(200);
    expect((await login(ann.email, OTHER)).json().data.user.id).toBe(ann.id);
    // The other address is available again.
    expect((await pending(moved.email)).id).not.toBe(ann.id);
  });

  it("can do so once, and for a week", async () => {
    const ann = await member();
    await change(ann);
    const link = await undoOf(ann.id);
    const links = createOneTimeLinks(await fixture.api.keys.liveKey("links"));
    const read = links.readToken(link, "undo-email-change", new Date());
    if (typeof read === "string") throw new Error(read);
    const days = (Date.parse(read.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    const late = links.makeToken("undo-email-change", {
      ...read,
      expiresAt: new Date(Date.now() - 1).toISOString(),
    });
    for (const none of [late, "x", "A".repeat(96), await calls.linkOf(ann.id)])
      expect(refusal(await undo(none))).toEqual([400, "link_invalid"]);
    expect((await undo(link)).statusCode).toBe(200);
    expect(refusal(await undo(link))).toEqual([400, "link_invalid"]);
  });

  it("also undoes later changes, each of which its own previous address can undo", async () => {
    const ann = await member();
    const second = await change(ann);
    const first = await undoOf(ann.id);
    const third = await change(second);
    const last = await undoOf(ann.id);
    await takeBack(last);
    expect((await login(second.email, OTHER)).statusCode).toBe(200);
    expect(refusal(await login(third.email, OTHER))).toEqual([401, "invalid_credentials"]);
    await takeBack(first);
    expect((await login(ann.email, OTHER)).json().data.user.id).toBe(ann.id);
    const bea = await member();
    const moved = await change(bea);
    const own = await undoOf(bea.id);
    await change(moved);
    const later = await undoOf(bea.id);
    await takeBack(own);
    expect(refusal(await undo(later))).toEqual([400, "link_invalid"]);
    expect((await login(bea.email, OTHER)).json().data.user.id).toBe(bea.id);
  });

  it("keeps a second factor that was set up more than a week before the change", async () => {
    const ann = await member();
    const { secret, codes } = await setUp(ann.token);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    const home = newBrowser(fixture);
    const { challenge } = await home.login(ann.email);
    expect(await home.finish(challenge, totpCode(secret))).toBe(200);
    await change({ ...ann, token: home.token, code: String(codes[0]) });
    await takeBack(await undoOf(ann.id));
    expect((await login(ann.email, OTHER)).json().data).toHaveProperty("challenge");
  });

  it("drops a second factor that was set up shortly before the change, or after it", async () => {
    const ann = await member();
    const { token, codes } = await setUp(ann.token);
    await change({ ...ann, token, code: String(codes[0]) });
    await takeBack(await undoOf(ann.id));
    expect((await login(ann.email, OTHER)).json().data).toHaveProperty("token");
    const bea = await member();
    const moved = await change(bea);
    await protect(moved.token);
    await takeBack(await undoOf(bea.id));
    expect((await login(bea.email, OTHER)).json().data).toHaveProperty("token");
  });

  it("recovers the account unless another account has since confirmed the address", async () => {
    const ann = await member();
    await change(ann);
    const registered = await pending(ann.email);
    await takeBack(await undoOf(ann.id));
    expect((await typesOf(registered.id)).at(-1)).toBe("AccountReplaced");
    const bea = await member();
    const moved = await change(bea);
    await member("user", bea.email);
    expect(refusal(await undo(await undoOf(bea.id)))).toEqual([409, "email_taken"]);
    expect((await login(moved.email, PASSWORD)).json().data.user.id).toBe(bea.id);
  });

  it("recovers an account that was deleted since, which is not erased while the link works", async () => {
    const ann = await member();
    const moved = await change(ann);
    expect((await close(moved.token)).statusCode).toBe(200);
    await fixture.api.closing.eraseDue(Date.now() + 6.9 * DAY_MS);
    await takeBack(await undoOf(ann.id));
    expect((await login(ann.email, OTHER)).json().data.user.id).toBe(ann.id);
    await fixture.api.closing.eraseDue(Date.now() + 8 * DAY_MS);
    expect((await login(ann.email, OTHER)).json().data.user.id).toBe(ann.id);
    // Closed again, it is erased when due and nothing can be undone.
    expect((await close(await calls.signIn(ann.email, OTHER), OTHER)).statusCode).toBe(200);
    await fixture.api.closing.eraseDue(Date.now() + 7.1 * DAY_MS);
    expect((await typesOf(ann.id)).at(-1)).toBe("AccountErased");
  });

  it("keeps an account that is recovered just as its erasure begins", async () => {
    const ann = await member();
    const moved = await change(ann);
    const link = await undoOf(ann.id);
    await close(moved.token);
    const { store } = fixture.api;
    const append = store.append.bind(store);
    let isTakenBack = false;
    const between = vi.spyOn(store, "append").mockImplementation(async (stream, ...rest) => {
      if (stream === streams.user(ann.id) && !isTakenBack) {
        isTakenBack = true;
        await takeBack(link);
      }
      return append(stream, ...rest);
    });
    onTestFinished(() => between.mockRestore());
    await fixture.api.closing.eraseDue(Date.now() + 7.1 * DAY_MS);
    expect(isTakenBack).toBe(true);
    expect(await typesOf(ann.id)).not.toContain("AccountErased");
    expect((await login(ann.email, OTHER)).json().data.user.id).toBe(ann.id);
  });
});
