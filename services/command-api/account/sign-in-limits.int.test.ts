import assert from "node:assert";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { EventStore } from "#event-store/port.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createOneTimeLinks, type LinkPurpose } from "#vault/links/one-time-link.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { browser, openAccounts, withMethods } from "../testing/accounts.fixture.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { SIGN_IN_LINKS } from "./account.decider.ts";
import { COOKIE_SECRETS, DEVICE_COOKIE, DEVICE_FAILURES } from "./device.store.ts";
import { GUESSES, PasswordGuesses } from "./password-proof.ts";
import type { Login } from "./session.service.ts";

const fixture = forFile(() => startCommandApi({ limits: "on", trustProxyHops: 1 }));

const PASSWORD = "Correct-horse-9";

let addresses = 0;
/** Sends each call from a different address, as an attacker with many would. */
function post(url: string, payload: object, headers: Record<string, string> = {}) {
  addresses += 1;
  const ip = `198.${18 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`;
  return fixture.api.app.inject({
    method: "POST",
    url,
    payload,
    headers: { "x-forwarded-for": ip, ...headers },
  });
}

function login(email: string, password: string, cookie?: string) {
  const headers: Record<string, string> = cookie ? { cookie } : {};
  return post("/prod/api/auth/login", { email, password }, headers);
}

type Answer = Awaited<ReturnType<typeof post>>;
const cookieOf = ({ cookies }: Answer) =>
  `${DEVICE_COOKIE}=${cookies.find((c) => c.name === DEVICE_COOKIE)?.value}`;
const refusalOf = (answer: Answer) => [answer.statusCode, answer.json().error.code];
const WRONG = [401, "invalid_credentials"];
const LINK_REQUIRED = [403, "link_required"];

async function guess(email: string, times: number): Promise<unknown[]> {
  const refusals: unknown[] = [];
  for (let done = 0; done < times; done += 10) {
    const ten = Array.from({ length: Math.min(10, times - done) }, () => login(email, "wrong"));
    refusals.push(...(await Promise.all(ten)).map(refusalOf));
  }
  return refusals;
}

const times = (n: number, refusal: unknown) => Array.from({ length: n }, () => refusal);

/** Counts this many guesses without computing their hashes. */
async function countGuesses(email: string, count: number): Promise<void> {
  const blind = createBlindIndexer(await fixture.api.keys.serviceKey("blind-index"));
  const guesses = new PasswordGuesses(fixture.db, "on");
  for (let i = 0; i < count; i += 1) await guesses.count(blind("account_email", email), Date.now());
}

/** An account for which strangers have used up all guesses. */
async function besieged() {
  const { email, id } = await fixture.addAccount();
  const cookie = cookieOf(await login(email, PASSWORD));
  await countGuesses(email, GUESSES - 2);
  expect(refusalOf(await login(email, "wrong"))).toEqual(WRONG);
  return { email, id, cookie };
}

interface Link {
  link_id: string;
  expires_at: string;
}

async function linksOf(id: string): Promise<Link[]> {
  const { rows } = await fixture.db.query<{ link: Link }>(
    `select data->'link' as link from event_log.event
     where stream = $1 and type = 'DeviceConfirmationRequested' order by revision`,
    [`user-${id}`],
  );
  return rows.map(({ link }) => link);
}

async function tokenOf(id: string, link: Link, purpose: LinkPurpose = "sign-in") {
  const links = createOneTimeLinks(await fixture.api.keys.liveKey("links"));
  const content = { aggregateId: id, linkId: link.link_id, expiresAt: link.expires_at };
  return links.makeToken(purpose, content);
}

const open = (token: string, cookie?: string) =>
  post(`/prod/api/auth/sign-in-link/${token}`, {}, cookie ? { cookie } : {});

async function devicesOf(id: string): Promise<string[]> {
  const { rows } = await fixture.db.query(
    `select data->>'device' as device from event_log.event
     where type = 'SessionStarted' and data->>'account_id' = $1 order by position`,
    [id],
  );
  return rows.map(({ device }) => device);
}

describe("guessing one account's password from many addresses", () => {
  it("is stopped after a hundred an hour, and never locks out the owner's own browser", async () => {
    const { email } = await fixture.addAccount();
    const cookie = cookieOf(await login(email, PASSWORD));
    await countGuesses(email, GUESSES - 6);
    expect(await guess(email, 5)).toEqual(times(5, WRONG));
    expect(await guess(email, 3)).toEqual(times(3, LINK_REQUIRED));
    // Even the right password is not compared.
    expect(refusalOf(await login(email, PASSWORD))).toEqual(LINK_REQUIRED);
    expect((await login(email, PASSWORD, cookie)).statusCode).toBe(200);
    // A cookie for another account does not help with this one.
    const other = await fixture.addAccount();
    const foreign = cookieOf(await login(other.email, PASSWORD));
    expect(refusalOf(await login(email, PASSWORD, foreign))).toEqual(LINK_REQUIRED);
  });

  it("gets the same answer for an address without an account, which gets no link", async () => {
    const { email, id } = await besieged();
    const nobody = `${randomUUID()}@registry.example`;
    await countGuesses(nobody, GUESSES - 1);
    expect(refusalOf(await login(nobody, "wrong"))).toEqual(WRONG);
    const [known, unknown] = [await login(email, "wrong"), await login(nobody, "wrong")];
    expect(unknown.statusCode).toBe(403);
    expect(unknown.body).toBe(known.body);
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers));
    await expect.poll(() => linksOf(id)).toHaveLength(1);
    const { rows } = await fixture.db.query(
      `select data->'security'->>'key' as key from event_log.event
       where type = 'SignInFailed' and data->>'cause' = 'link_required' order by position desc limit 2`,
    );
    expect(rows).toHaveLength(2);
  });

  it("from a known browser is stopped after twenty, and then the browser counts as unknown", async () => {
    const { email, cookie } = await besieged();
    for (let i = 0; i < DEVICE_FAILURES - 1; i += 1)
      expect(refusalOf(await login(email, "wrong", cookie))).toEqual(WRONG);
    // A sign-in resets the count.
    expect((await login(email, PASSWORD, cookie)).statusCode).toBe(200);
    for (let i = 0; i < DEVICE_FAILURES; i += 1)
      expect(refusalOf(await login(email, "wrong", cookie))).toEqual(WRONG);
    expect(refusalOf(await login(email, PASSWORD, cookie))).toEqual(LINK_REQUIRED);
  });
});

describe("the count of attempts from unknown browsers", () => {
  it("is shared by all spellings of an address", async () => {
    // "na" is a placeholder and not a name, so reports are not matched by such an address.
    const domain = `${randomUUID()}.example`;
    await countGuesses(`na@${domain}`, GUESSES - 1);
    expect(refusalOf(await login(`NA@${domain}`, "wrong"))).toEqual(WRONG);
    expect(refusalOf(await login(`Na@${domain.toUpperCase()}`, "wrong"))).toEqual(LINK_REQUIRED);
  });

  it("resets an hour after the first, and is then swept", async () => {
    const guesses = new PasswordGuesses(fixture.db, "on");
    const now = Date.parse("2020-01-01T00:00:00.000Z");
    const hour = 3_600_000;
    const allowed: boolean[] = [];
    for (let i = 0; i <= GUESSES; i += 1)
      allowed.push((await guesses.count("a", now + i)) !== undefined);
    expect(allowed).toEqual([...times(GUESSES, true), false]);
    expect(await guesses.count("a", now + hour - 1)).toBeUndefined();
    expect(await guesses.count("a", now + hour)).toBeDefined();
    const rows = async () =>
      (await fixture.db.query("select from command.password_guess where email_blind = 'a'"))
        .rowCount;
    await guesses.sweep(now + 2 * hour - 1);
    expect(await rows()).toBe(1);
    await guesses.sweep(now + 2 * hour);
    expect(await rows()).toBe(0);
  });

  it("allows a hundred of three hundred concurrent attempts, and keeps one row", async () => {
    const guesses = new PasswordGuesses(fixture.db, "on");
    const now = Date.parse("2020-01-01T00:00:00.000Z");
    const all = Array.from({ length: 3 * GUESSES }, () => guesses.count("many", now));
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(GUESSES);
    const { rows } = await fixture.db.query(
      "select guesses from command.password_guess where email_blind = 'many'",
    );
    expect(rows).toEqual([{ guesses: GUESSES + 1 }]);
  });

  it("can be refunded, but not in a later hour", async () => {
    const guesses = new PasswordGuesses(fixture.db, "on");
    const now = Date.parse("2020-01-01T00:00:00.000Z");
    const rows = async () =>
      (await fixture.db.query("select guesses from command.password_guess where email_blind = 'b'"))
        .rows;
    const first = await guesses.count("b", now);
    const second = await guesses.count("b", now + 1);
    if (!first || !second) throw new Error("refused");
    await guesses.giveBack(second);
    expect(await rows()).toEqual([{ guesses: 1 }]);
    await guesses.giveBack(first);
    expect(await rows()).toEqual([]);
    await guesses.count("b", now + 7_200_000);
    await guesses.giveBack(first);
    expect(await rows()).toEqual([{ guesses: 1 }]);
  });
});

describe("an attempt that fails for a reason other than its password", () => {
  it("does not count against a known browser or an address", async () => {
    const { email, id } = await fixture.addAccount();
    const cookie = cookieOf(await login(email, PASSWORD));
    const devices = [cookie.slice(`${DEVICE_COOKIE}=`.length)];
    const left = async () => {
      const attempts = "select attempts from command.device where account_id = $1";
      const guesses = "select sum(guesses)::int as guesses from command.password_guess";
      return [
        (await fixture.db.query(attempts, [id])).rows[0].attempts,
        (await fixture.db.query(guesses)).rows[0].guesses,
      ];
    };
    const before = await left();
    const away = () => Promise.reject(new Error("away"));
    const sign = () => "token";
    for (const methods of [
      { readStream: () => assert.fail("away") },
      { append: away },
    ] as Partial<EventStore>[]) {
      const { sessions } = await openAccounts(fixture, {
        store: withMethods(fixture.api.store, methods),
      });
      const known = { email, password: PASSWORD, devices };
      const attempt = (login: Login) => sessions.signIn(login, browser(new Date()), sign);
      await expect(attempt(known)).rejects.toThrow("away");
      await expect(attempt({ ...known, devices: [] })).rejects.toThrow("away");
      expect(await left()).toEqual(before);
    }
    // A wrong password counts even if the log is down.
    const { sessions } = await openAccounts(fixture, {
      store: withMethods(fixture.api.store, { append: away }),
    });
    for (const devices_ of [devices, []]) {
      const wrong = { email, password: "wrong", devices: devices_ };
      await expect(sessions.signIn(wrong, browser(new Date()), sign)).rejects.toThrow("away");
    }
    expect(await left()).toEqual(before.map((count) => count + 1));
  });
});

describe("a sign-in link", () => {
  it("is sent at most five times while none is opened", async () => {
    const { email, id } = await besieged();
    await guess(email, 20);
    await expect.poll(() => linksOf(id)).toHaveLength(SIGN_IN_LINKS);
    await guess(email, 5);
    const [first] = await linksOf(id);
    expect((await open(await tokenOf(id, first as Link))).statusCode).toBe(200);
    // One link was opened, so one more may be sent. The earlier attempts requested none.
    await guess(email, 2);
    await expect.poll(() => linksOf(id)).toHaveLength(SIGN_IN_LINKS + 1);
  });

  it("makes a browser trusted once, and signs no one in", async () => {
    const { email, id } = await besieged();
    await login(email, "wrong");
    await expect.poll(() => linksOf(id)).toHaveLength(1);
    const [link] = (await linksOf(id)) as [Link];
    const other = await tokenOf(id, link, "verify-email");
    expect(refusalOf(await open(other))).toEqual([400, "link_invalid"]);
    const token = await tokenOf(id, link);
    const answers = await Promise.all([open(token), open(token)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
    const opened = answers.find(({ statusCode }) => statusCode === 200) as Answer;
    expect(opened.json()).not.toHaveProperty("data.token");
    expect(refusalOf(await open(token))).toEqual([400, "link_invalid"]);
    const cookie = cookieOf(opened);
    expect(refusalOf(await login(email, "wrong", cookie))).toEqual(WRONG);
    expect((await login(email, PASSWORD, cookie)).statusCode).toBe(200);
    expect((await login(email, PASSWORD, cookie)).statusCode).toBe(200);
    expect(await devicesOf(id)).toEqual(["new", "linked", "known"]);
  });
});

describe("a browser of several accounts", () => {
  it("is trusted by each of them", async () => {
    const [one, two] = [await fixture.addAccount(), await fixture.addAccount()];
    let cookie = cookieOf(await login(one.email, PASSWORD));
    cookie = cookieOf(await login(two.email, PASSWORD, cookie));
    cookie = cookieOf(await login(one.email, PASSWORD, cookie));
    cookie = cookieOf(await login(two.email, PASSWORD, cookie));
    expect(await devicesOf(one.id)).toEqual(["new", "known"]);
    expect(await devicesOf(two.id)).toEqual(["new", "known"]);
    await countGuesses(one.email, GUESSES);
    await login(one.email, "wrong");
    await expect.poll(() => linksOf(one.id)).toHaveLength(1);
    const [link] = (await linksOf(one.id)) as [Link];
    const other = cookieOf(await login(two.email, PASSWORD));
    const opened = await open(await tokenOf(one.id, link), other);
    expect((await login(two.email, PASSWORD, cookieOf(opened))).statusCode).toBe(200);
    expect((await devicesOf(two.id)).at(-1)).toBe("known");
  });

  it("is read for at most five secrets, whatever it sends", async () => {
    const { email } = await fixture.addAccount();
    const many = Array.from({ length: 150 }, (_, i) => `${i % 10}`.repeat(43)).join(".");
    const given = cookieOf(await login(email, PASSWORD, `${DEVICE_COOKIE}=${many}`));
    expect(given.slice(`${DEVICE_COOKIE}=`.length).split(".")).toHaveLength(COOKIE_SECRETS);
    const odd = cookieOf(await login(email, PASSWORD, `${DEVICE_COOKIE}=;.%00.x`));
    expect(odd).toMatch(/^__Secure-device=[\w-]{43}$/);
  });
});

describe("the cookie of a browser", () => {
  it("is sent only with sign-ins, and hidden from scripts and other sites", async () => {
    const { email } = await fixture.addAccount();
    const body = { email, password: PASSWORD };
    const answer = await post("/prod/api/auth/login", body, { "x-forwarded-proto": "http" });
    // Secure, whatever the proxy reports.
    expect(answer.cookies.find(({ name }) => name === "__Secure-device")).toMatchObject({
      path: "/prod/api/auth",
      httpOnly: true,
      sameSite: "Strict",
      secure: true,
    });
  });

  it("is stored as a hash, and replaced for a browser that sends an unknown one", async () => {
    const { email } = await fixture.addAccount();
    const planted = `${DEVICE_COOKIE}=${"a".repeat(43)}`;
    const given = cookieOf(await login(email, PASSWORD, planted));
    const [first = "", second] = given.split(".");
    expect(first).not.toBe(planted);
    expect(second).toBe("a".repeat(43));
    expect(cookieOf(await login(email, PASSWORD, given))).toBe(given);
    const { rows } = await fixture.db.query("select d::text as row from command.device d");
    expect(JSON.stringify(rows)).not.toContain(first.slice(`${DEVICE_COOKIE}=`.length));
  });
});
