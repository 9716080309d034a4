import { describe, expect, it } from "vitest";
import type { SessionEvent } from "#contracts/events/index.ts";
import { evolveSession } from "#contracts/events/session.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideSession } from "./session.decider.ts";

const moment = { now: "2026-11-21T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const given = givenFor({ decide: decideSession, evolve: evolveSession, moment });

const accountId = "22222222-2222-4222-8222-222222222222";
const begins = { accountId, device: "linked", revision: 3 } as const;
const started: SessionEvent = {
  type: "SessionStarted",
  data: {
    account_id: accountId,
    method: "password",
    device: "linked",
    account_revision: 3,
    expires_at: "2027-02-19T10:00:00.000Z",
  },
};
const used: SessionEvent = { type: "SessionUsed", data: {} };
type EndCause = Extract<SessionEvent, { type: "SessionEnded" }>["data"]["cause"];
const ended = (cause: EndCause): SessionEvent => ({ type: "SessionEnded", data: { cause } });
const refresh = { type: "RefreshSession" } as const;
/** A use by the same client as the last recorded one, which was at that time. */
const usedSince = (at: string, isSameClient = true) => ({
  ...refresh,
  noted: { at, isSameClient },
});
const yesterday = usedSince("2026-11-20T23:59:59.999Z");

describe("a session", () => {
  it("begins with a sign-in, once, for 90 days", () => {
    const command = { type: "SignIn", begins } as const;
    given().when(command).gives(started);
    given(started).when(command).gives();
    given(started, ended("signed_out")).when(command).gives();
  });

  it("can be used until it ends", () => {
    given(started).when(yesterday).gives(used);
    given(started, used).when(yesterday).gives(used);
    given(started, ended("idle")).when(yesterday).gives();
    given().when(yesterday).gives();
  });

  it.each([
    ["2026-11-21T00:00:00.000Z", "2026-11-21T23:59:59.999Z", "on the same day", []],
    ["2026-11-20T23:59:59.999Z", "2026-11-21T00:00:00.000Z", "on the next day (UTC)", [used]],
    ["2026-10-21T10:00:00.000Z", "2026-11-21T10:00:00.000Z", "on that day a month later", [used]],
  ])("last used at %s, records a use at %s %s: %j", (at, now, _when, events) => {
    given(started, used)
      .when(usedSince(at), { ...moment, now })
      .gives(...events);
  });

  it("records each use from another address or browser, even on the same day", () => {
    const elsewhere = usedSince("2026-11-21T09:59:59.000Z", false);
    given(started).when(elsewhere).gives(used);
    given(started, used).when(elsewhere).gives(used);
    given(started, ended("signed_out")).when(elsewhere).gives();
  });
});

it("records that the password was proved, as long as the session is open", () => {
  const proved: SessionEvent = { type: "PasswordProved", data: {} };
  given(started).when({ type: "ProvePassword" }).gives(proved);
  given(started, proved).when({ type: "ProvePassword" }).gives(proved);
  given(started, ended("idle")).when({ type: "ProvePassword" }).gives();
  given().when({ type: "ProvePassword" }).gives();
});

it("remembers that a session ended", () => {
  expect(given(started, used).state).toEqual({ ended: false, accountRevision: 3 });
  expect(given(started, ended("expired")).state).toEqual({ ended: true, accountRevision: 3 });
});
