import Fastify, { type FastifyRequest } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_CONTACTS_FOUND } from "#contracts/account/contact-alarm.ts";
import { createCounters } from "#http/counters/counters.ts";
import { createLimits, RateLimited } from "#http/limits.ts";
import { type ContactQuery, ContactSearches, contactQuery } from "./search.routes.ts";

const MORNING = Date.UTC(2026, 10, 21);
const DAY_MS = 24 * 3_600_000;
const ACCOUNTS = 50;
const ADDRESSES = 1_000;
const PEOPLE = 100;
/** Likely mailboxes per person. One is correct, each with equal probability. */
const GUESSES = 100;
const rightGuess = (person: number) => (person * 37) % GUESSES;

const app = Fastify();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const blind = (_: string, value: string) => value;
const query = (q: string) => contactQuery(q, blind) as ContactQuery;

/** Fifty accounts from 1,000 addresses try the whole list within a day, likeliest mailboxes first. */
async function guess(trusted: boolean) {
  const limits = createLimits(await createCounters(app), true);
  const searches = new ContactSearches(async () => ({ confirmed: true, trusted }), limits);
  let asked = 0;
  const learned: number[] = [];
  for (let n = 0; n < PEOPLE * GUESSES; n += 1) {
    vi.setSystemTime(MORNING + Math.floor((n * DAY_MS) / (PEOPLE * GUESSES)));
    const [person, guess] = [n % PEOPLE, Math.floor(n / PEOPLE)];
    const [account, address] = [n % ACCOUNTS, n % ADDRESSES];
    const request = {
      actor: { id: `account-${account}`, role: "user" },
      ip: `10.1.${address >> 8}.${address & 255}`,
    } as FastifyRequest;
    try {
      await searches.admit(request, query(`p${person}.${guess}@guessed.example`), true);
    } catch (error) {
      expect(error).toBeInstanceOf(RateLimited);
      continue;
    }
    asked += 1;
    if (guess === rightGuess(person)) learned.push(asked);
  }
  return { asked, learned };
}

describe("guessing 100 masked addresses from 10,000 likely mailboxes for a day", {
  timeout: 60_000,
}, () => {
  it("reveals at most three of them to 50 new accounts", async () => {
    const { asked, learned } = await guess(false);
    expect(asked).toBe(ACCOUNTS * 5);
    expect(learned.length).toBeLessThanOrEqual(3);
    // Guessing isn't futile: the list contains all of them.
    expect(learned.length).toBeGreaterThan(0);
  });

  it("is noticed before 50 accounts in good standing know a third of them", async () => {
    const { asked, learned } = await guess(true);
    expect(asked).toBe(PEOPLE * GUESSES);
    expect(learned).toHaveLength(PEOPLE);
    expect(MAX_CONTACTS_FOUND).toBeLessThan(PEOPLE / 3);
  });
});

describe("a phone number in a search", () => {
  it.each(["9400111899223344", "940011189922334455", "1Z999AA10123456784", "412.50"])(
    "is not %s",
    (text) => {
      expect(contactQuery(text, blind)).toBeUndefined();
      expect(contactQuery(`Quinn Ames ${text}`, blind)).toBeUndefined();
    },
  );
});
