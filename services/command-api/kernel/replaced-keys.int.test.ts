import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { VERIFICATION_TTL_MS } from "#contracts/report/words.ts";
import { forFile } from "#test-kit/for-file.ts";
import { SERVICE_KEYS } from "#vault/keys/service-keys.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import type { CommandApi } from "../composition.ts";
import { browser } from "../testing/accounts.fixture.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { CommandIds } from "./command-ids.store.ts";

const SUBMIT = "/prod/api/reports/submit";
/** Longer than the two seconds within which processes read a new key. */
const LEAD_MS = 6_000;
/** Pauses between requests during a rotation, to leave CPU for other tests. */
const PACED = { interval: 100 };

const fixture = forFile(() => startCommandApi());
let second: CommandApi;
beforeAll(async () => {
  second = await fixture.another();
});

async function submit({ app }: CommandApi, key: string): Promise<string> {
  const headers = { "idempotency-key": key };
  const answer = await app.inject({ method: "POST", url: SUBMIT, headers, payload: chargeback });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.id;
}

async function reports(): Promise<number> {
  const { rows } = await fixture.db.query(
    "select count(*)::int as n from event_log.event where type = 'ReportSubmitted'",
  );
  return rows[0].n;
}

describe("keys that are rotated while requests run", () => {
  it("let no retry create a second report before, during or after the rotation", async () => {
    const live = await Promise.all(
      [fixture.api, second].map(({ keys }) => keys.liveKey("commands")),
    );
    const former = live[0]?.current();
    const known = new Map<string, string>();
    const sendNew = async () => {
      const key = randomUUID();
      // To both processes at the same time, as if a proxy repeated a slow request.
      const ids = await Promise.all([submit(fixture.api, key), submit(second, key)]);
      expect(new Set(ids).size).toBe(1);
      known.set(key, ids[0] as string);
    };
    const before = await reports();
    await sendNew();
    await fixture.api.keys.replaceServiceKey("commands", LEAD_MS);
    const isFormer = async () => {
      await sendNew();
      return live.some((key) => key.current().equals(former as Buffer));
    };
    await expect.poll(isFormer, PACED).toBe(false);
    await sendNew();
    for (const [key, id] of known) {
      expect(await submit(fixture.api, key)).toBe(id);
      expect(await submit(second, key)).toBe(id);
    }
    expect(await reports()).toBe(before + known.size);
    expect(known.size).toBeGreaterThan(2);
  });

  it("recognize a retry of a change under the previous key", async () => {
    const id = await submit(fixture.api, randomUUID());
    const key = randomUUID();
    const approve = () =>
      fixture.call("POST", `/prod/api/admin/reports/${id}/approve`, {
        body: {},
        as: "admin",
        key,
      });
    const live = await fixture.api.keys.liveKey("commands");
    const former = live.current();
    expect((await approve()).statusCode).toBe(200);
    await fixture.api.keys.replaceServiceKey("commands", 0);
    await expect.poll(() => live.current().equals(former)).toBe(false);
    expect((await approve()).statusCode).toBe(200);
  });

  it("sign no one out", async () => {
    const token = fixture.tokens.admin;
    const profile = (api: CommandApi, bearer: string) =>
      api.app.inject({
        method: "POST",
        url: `/prod/api/admin/reports/${randomUUID()}/approve`,
        headers: { authorization: `Bearer ${bearer}` },
        payload: {},
      });
    const signIn = async (api: CommandApi) =>
      (
        await api.app.inject({
          method: "POST",
          url: "/prod/api/auth/login",
          payload: { email: "dana@registry.example", password: "Correct-horse-9" },
        })
      ).json().data.token as string;
    const kidOf = (bearer: string) =>
      JSON.parse(Buffer.from(bearer.split(".")[0] ?? "", "base64url").toString()).kid as string;
    await fixture.api.keys.replaceServiceKey("tokens", LEAD_MS);
    const statuses = new Set<number>();
    const signedInAgain = async () => {
      const fresh = await signIn(second);
      for (const api of [fixture.api, second])
        for (const bearer of [token, fresh]) statuses.add((await profile(api, bearer)).statusCode);
      return kidOf(fresh);
    };
    await expect.poll(signedInAgain, PACED).not.toBe(kidOf(token));
    // The report does not exist, so a 404 means that the token was accepted.
    expect([...statuses]).toEqual([404]);
  });

  it("settle on one ID for a create, whichever process switches first", async () => {
    const nothing = {
      async *readStream() {
        // An empty log.
      },
    };
    const ids = new CommandIds(fixture.db, nothing);
    const [older, newer] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
    const envelope = { caller: browser(new Date()), ids: [older, newer], body: {} };
    const chosen = await Promise.all(
      [older, newer, newer, older].map((id) => ids.settle({ ...envelope, id }, aggregateIdOf)),
    );
    expect(new Set(chosen.map(({ id }) => id)).size).toBe(1);
  });

  it("keep a link valid until it expires", () => {
    expect(SERVICE_KEYS.links).toBeGreaterThanOrEqual(VERIFICATION_TTL_MS);
  });
});
