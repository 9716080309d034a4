import { streams } from "#contracts/events/index.ts";
import type { SignToken } from "../account/session.service.ts";
import { browser, signedIn } from "./accounts.fixture.ts";
import { type Fixture, PASSWORD } from "./command-api.fixture.ts";

export { PASSWORD };

export const EMAIL = "dana@registry.example";
export const DAY_MS = 24 * 3_600_000;
export const START = Date.parse("2026-11-22T22:00:00.000Z");
export const at = (days: number) => new Date(START + days * DAY_MS);

/** Signs tokens that reveal their session. */
export const sign: SignToken = ({ sessionId }) => sessionId;
export const sidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sid;

/** Calls and queries for tests of sessions. */
export function sessionCalls(fixture: () => Fixture) {
  const signIn = (now: Date = at(0), email = EMAIL) =>
    fixture().api.sessions.signIn({ email, password: PASSWORD }, browser(now), sign).then(signedIn);
  const refresh = (refreshToken: string, caller = browser(at(0))) =>
    fixture().api.sessions.refresh(refreshToken, caller, sign);

  const login = async (email = EMAIL) =>
    (
      await fixture().call("POST", "/prod/api/auth/login", {
        body: { email, password: PASSWORD },
      })
    ).json().data;
  const refreshOver = (refreshToken: string) =>
    fixture().call("POST", "/prod/api/auth/refresh", { body: { refreshToken } });
  const signOut = (token: string, payload?: object) =>
    fixture().api.app.inject({
      method: "POST",
      url: "/prod/api/auth/logout",
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    });
  /** Moves the use of tokens into the past, so that reusing them cannot be a race between tabs. */
  const endRace = () =>
    fixture().db.query("update command.refresh_token set used_at = used_at - interval '1 minute'");

  /** Makes a call that every signed-in account may make. */
  async function works(token: string): Promise<boolean> {
    const answer = await fixture().api.app.inject({
      method: "GET",
      url: "/prod/api/reports/all?emergency_approve=true&report_id=00000000-0000-4000-8000-000000000000",
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.statusCode !== 401;
  }

  const eventsOf = (sessionId: string) => fixture().events(streams.session(sessionId));
  const typesOf = async (sessionId: string) => (await eventsOf(sessionId)).map(({ type }) => type);
  const rowOf = async (sessionId: string) =>
    (await fixture().db.query("select * from command.session where id = $1", [sessionId])).rows[0];
  return {
    signIn,
    refresh,
    login,
    refreshOver,
    signOut,
    endRace,
    works,
    eventsOf,
    typesOf,
    rowOf,
  };
}
