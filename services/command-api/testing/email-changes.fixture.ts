import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { LinkPurpose } from "#vault/links/one-time-link.ts";
import type { Fixture } from "./command-api.fixture.ts";
import { registration } from "./command-api.fixture.ts";
import { PASSWORD } from "./sessions.fixture.ts";

const AUTH = "/prod/api/auth/";

/** Calls and queries for tests of address changes. */
export function emailChangeCalls(fixture: () => Fixture) {
  const someAddress = () => `${randomUUID()}@shop.example`;
  const login = (email: string, password = PASSWORD) =>
    fixture().call("POST", `${AUTH}login`, { body: { email, password } });
  async function signIn(email: string, password = PASSWORD): Promise<string> {
    return (await login(email, password)).json().data.token;
  }
  const member = (role: "user" | "admin" = "user", email = someAddress()) =>
    fixture().member({ role, email });
  /** A signed-in account with an unconfirmed address. */
  async function pending(email = someAddress()) {
    const registered = await fixture().call("POST", `${AUTH}register`, {
      body: registration(email, { first_name: "Eve" }),
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
    send("change-email", { email, ...omitUndefined({ code }) }, token);

  const eventsOf = (id: string) => fixture().events(streams.user(id));
  const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);

  const tokenOf = (id: string, type: string, purpose: LinkPurpose, field?: "undo_link") =>
    fixture().linkOf(streams.user(id), purpose, type, field);
  /** Token of the link most recently sent to a new address. */
  const linkOf = (id: string) => tokenOf(id, "EmailChangeRequested", "change-email");
  /** Token of the link that undoes the last change. */
  const undoOf = (id: string) => tokenOf(id, "EmailChanged", "undo-email-change", "undo_link");
  /** Token of the link sent at registration. */
  const registrationOf = (id: string) => tokenOf(id, "AccountRegistered", "confirm-account");
  const confirm = (link: string, token?: string) =>
    send("confirm-email-change", { token: link }, token);
  const undo = (link: string) => send("undo-email-change", { token: link });

  /** Changes an account's address. @returns its new token. */
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
