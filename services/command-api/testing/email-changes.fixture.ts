import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import { createOneTimeLinks, type LinkPurpose } from "#vault/links/one-time-link.ts";
import type { Fixture } from "./command-api.fixture.ts";
import { PASSWORD } from "./sessions.fixture.ts";

const AUTH = "/prod/api/auth/";

/** What tests of another address do and inspect. */
export function emailChangeCalls(fixture: () => Fixture) {
  const someAddress = () => `${randomUUID()}@shop.example`;
  const login = (email: string, password = PASSWORD) =>
    fixture().call("POST", `${AUTH}login`, { body: { email, password } });
  async function signIn(email: string, password = PASSWORD): Promise<string> {
    return (await login(email, password)).json().data.token;
  }
  const member = (role: "user" | "admin" = "user", email = someAddress()) =>
    fixture().member({ role, email });
  /** An account whose address no one confirmed, signed in. */
  async function pending(email = someAddress()) {
    const form = { first_name: "Eve", last_name: "Fox", email };
    const passwords = { password: PASSWORD, confirmPassword: PASSWORD };
    const registered = await fixture().call("POST", `${AUTH}register`, {
      body: { ...form, ...passwords },
    });
    expect(registered.statusCode, registered.body).toBe(200);
    const { user, token } = registered.json().data;
    return { id: user.id as string, email, token: token as string };
  }
  const send = (path: string, payload: object, token?: string) =>
    fixture().api.app.inject({
      method: "POST",
      url: `${AUTH}${path}`,
      ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
      payload,
    });
  const ask = (token: string, email: string, code?: string) =>
    send("change-email", { email, ...given({ code }) }, token);

  async function eventsOf(id: string) {
    const { rows } = await fixture().db.query<{ type: string; data: Record<string, unknown> }>(
      "select type, data from event_log.event where stream = $1 order by revision",
      [streams.user(id)],
    );
    return rows;
  }
  const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);

  async function tokenOf(id: string, type: string, field: string, purpose: LinkPurpose) {
    const event = (await eventsOf(id)).findLast((each) => each.type === type);
    const link = event?.data[field] as { link_id: string; expires_at: string };
    const links = createOneTimeLinks(await fixture().api.keys.liveKey("links"));
    const content = { aggregateId: id, linkId: link.link_id, expiresAt: link.expires_at };
    return links.makeToken(purpose, content);
  }
  /** The token of the link that was mailed last to another address. */
  const linkOf = (id: string) => tokenOf(id, "EmailChangeRequested", "link", "change-email");
  /** The token of the link that undoes the last change. */
  const undoOf = (id: string) => tokenOf(id, "EmailChanged", "undo_link", "undo-email-change");
  /** The token of the link that was mailed when someone registered. */
  const registrationOf = (id: string) =>
    tokenOf(id, "AccountRegistered", "link", "confirm-account");
  const confirm = (link: string, token?: string) =>
    send("confirm-email-change", { token: link }, token);
  const undo = (link: string) => send("undo-email-change", { token: link });

  /** Gives an account another address. @returns its present token. */
  async function change(
    account: { id: string; token: string; code?: string },
    email = someAddress(),
  ) {
    expect((await ask(account.token, email, account.code)).statusCode).toBe(200);
    const confirmed = await confirm(await linkOf(account.id), account.token);
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    return { id: account.id, email, token: confirmed.json().data.token as string };
  }
  const setPassword = (token: string, password: string) =>
    send("reset-password", { token, password, confirmPassword: password });
  return {
    someAddress,
    login,
    signIn,
    member,
    pending,
    send,
    ask,
    eventsOf,
    typesOf,
    linkOf,
    undoOf,
    registrationOf,
    confirm,
    undo,
    change,
    setPassword,
  };
}
