import { streams } from "#contracts/events/index.ts";
import type { Fixture } from "./command-api.fixture.ts";
import { PASSWORD } from "./sessions.fixture.ts";
import { type Browser, newBrowser } from "./two-factor.fixture.ts";

/** Path of the staff commands about accounts. */
export const USERS = "/prod/api/admin/users";

export type Sent = "POST" | "PUT" | "DELETE";

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly browser: Browser;
}

/** Calls and queries for tests of staff commands about accounts. */
export function accountModerationCalls(fixture: () => Fixture) {
  /** A signed-in account with a confirmed address. */
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
