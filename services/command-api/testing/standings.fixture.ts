import { streams } from "#contracts/events/index.ts";
import type { Fixture } from "./command-api.fixture.ts";
import { PASSWORD } from "./sessions.fixture.ts";
import { type Browser, newBrowser } from "./two-factor.fixture.ts";

/** Where staff decide about accounts. */
export const USERS = "/prod/api/admin/users";

/** Method of a call. */
export type Sent = "POST" | "PUT" | "DELETE";

/** An account that is signed in. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly browser: Browser;
}

/** What tests of decisions about accounts do and inspect. */
export function standingCalls(fixture: () => Fixture) {
  /** An account with a confirmed address, signed in. */
  async function member(role: "user" | "admin" | "auditor" = "user"): Promise<Member> {
    const added = await fixture().addAccount({ role, firstName: "Ada", lastName: "Min" });
    const browser = newBrowser(fixture());
    await browser.login(added.email);
    return { ...added, browser };
  }

  const command = (method: Sent, url: string, body: object, options: { key?: string } = {}) =>
    fixture().call(method, USERS + url, { body, as: "admin", ...options });
  const ban = (id: string, body: object = {}) =>
    command("POST", `/${id}/ban`, { reason: "Made reports up", ...body });
  const unban = (id: string) => command("POST", `/${id}/unban`, {});
  const login = (email: string, password = PASSWORD) =>
    fixture().call("POST", "/prod/api/auth/login", { body: { email, password } });
  const works = async ({ browser }: Member) =>
    (await browser.send("POST", "prove", { password: PASSWORD })).statusCode === 200;
  const eventsOf = (id: string) => fixture().events(streams.user(id));
  const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
  const setPassword = (token: string, password: string) =>
    fixture().call("POST", "/prod/api/auth/reset-password", {
      body: { token, password, confirmPassword: password },
    });
  return { member, command, ban, unban, login, works, eventsOf, typesOf, setPassword };
}
