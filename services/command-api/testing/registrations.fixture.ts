import { expect } from "vitest";
import { streams } from "#contracts/events/index.ts";
import type { Fixture } from "./command-api.fixture.ts";

export const PASSWORD = "Lamp-light-42";
export const OTHER = "Other-light-43";
/** Confirms an address without the account's session and password. */
export const START_OVER = { start_over: true };

/** Calls and queries for tests of registration. @param email returns the address that is being registered. */
export function registrationCalls(fixture: () => Fixture, email: () => string) {
  const send = (url: string, payload: object, token?: string, headers: object = {}) =>
    fixture().api.app.inject({
      method: "POST",
      url: `/prod/api/${url}`,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      payload,
    });
  const form = (password = PASSWORD, more: object = {}) => ({
    first_name: "Rae",
    last_name: "Holt",
    email: email(),
    password,
    confirmPassword: password,
    ...more,
  });
  const register = async (password = PASSWORD, more: object = {}) => {
    const answer = await send("auth/register", form(password, more));
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data;
  };
  const signIn = (password = PASSWORD) => send("auth/login", { email: email(), password });
  const works = async (token: string) =>
    (await send("auth/resend-verification", {}, token)).statusCode === 200;
  const settled = () => fixture().api.background.finish();

  const eventsOf = (id: string) => fixture().events(streams.user(id));
  const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
  const lastLink = (id: string, type: string, purpose: "confirm-account" | "reset-password") =>
    fixture().linkOf(streams.user(id), purpose, type);
  const confirmLink = (id: string, type = "AccountRegistered") =>
    lastLink(id, type, "confirm-account");
  /** Counts all accounts, and all of their events. */
  const stored = async () => {
    const { rows } = await fixture().db.query(
      `select (select count(*) from command.account) as accounts,
            (select count(*) from event_log.event where stream like 'user-%') as events`,
    );
    return rows;
  };
  const rowOf = async (id: string) =>
    (await fixture().db.query("select * from command.account where id = $1", [id])).rows[0];
  return {
    send,
    form,
    register,
    signIn,
    works,
    settled,
    eventsOf,
    typesOf,
    confirmLink,
    lastLink,
    stored,
    rowOf,
  };
}
