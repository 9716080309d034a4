import { describe, expect, it } from "vitest";
import { sessionFetch } from "./session-fetch.ts";
import { sessionStore } from "./session-store.ts";
import { memoryStorage, signedIn } from "./testing/sessions.ts";
import { pageLocks } from "./token-refresh.ts";

const REFRESH = "/prod/api/auth/refresh";
const tokens = { token: "token-2", refreshToken: "refresh-2" };

/** A server that accepts one token, and its reply to a renewal. */
function server(renewal: () => Response) {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const token = new Headers(init?.headers).get("authorization");
    sent.push(`${input} ${token}`);
    if (input === REFRESH) return renewal();
    return new Response(String(init?.body), { status: token === "Bearer token-2" ? 200 : 401 });
  };
  return { fetch, sent };
}

describe("a call of the session's account", () => {
  it("is sent again with renewed tokens, body and all", async () => {
    const session = signedIn();
    const { fetch, sent } = server(() => Response.json({ success: true, data: tokens }));
    const call = sessionFetch({ fetch, session, locks: pageLocks() });
    const answer = await call("/a", { method: "POST", body: "text" });
    expect([answer.status, await answer.text()]).toEqual([200, "text"]);
    expect(sent).toEqual(["/a Bearer token-1", `${REFRESH} null`, "/a Bearer token-2"]);
  });

  it("is refused when the session is over, which is cleared", async () => {
    const session = signedIn();
    const { fetch } = server(() => new Response(null, { status: 401 }));
    const answer = await sessionFetch({ fetch, session, locks: pageLocks() })("/a");
    expect(answer.status).toBe(401);
    expect([session.read(), session.endedBy()]).toEqual([null, "ended"]);
  });

  it("gets the renewal's own reply if that is inconclusive, and the session stays", async () => {
    const session = signedIn();
    const { fetch, sent } = server(() => new Response("busy", { status: 503 }));
    const answer = await sessionFetch({ fetch, session, locks: pageLocks() })("/a");
    expect([answer.status, await answer.text()]).toEqual([503, "busy"]);
    expect(session.read()?.token).toBe("token-1");
    expect(sent).toHaveLength(2);
  });

  it("is a visitor's without a session", async () => {
    const { fetch, sent } = server(() => new Response());
    const session = sessionStore(memoryStorage());
    expect((await sessionFetch({ fetch, session, locks: pageLocks() })("/a")).status).toBe(401);
    expect(sent).toEqual(["/a null"]);
  });
});
