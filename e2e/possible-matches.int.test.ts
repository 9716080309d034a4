import { beforeAll, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { seededRandom } from "#test-kit/random.ts";
import { startSystem } from "./support/in-process.ts";
import { approve, badCheck, chargeback, submit } from "./support/reports.ts";

const random = seededRandom("possible matches of made-up persons");
const NAMES: readonly [string, string][] = [
  ["Robert", "Campbell"],
  ["Margaret", "Whitford"],
  ["Quinn", "Smith"],
  ["José", "Ardenson"],
  ["Olga", "Maier"],
];
/**
 * The name as another report may have it: the same, misspelt, a nickname, similar in sound,
 * another.
 */
const RENAMED: readonly ((first: string, last: string) => [string, string])[] = [
  (first, last) => [first, last],
  (first, last) => [first, `${last[0]}${last[2]}${last[1]}${last.slice(3)}`],
  (first, last) => [first, `${last}s`],
  (_, last) => ["Bob", last],
  (first) => [first, "Smyth"],
  () => ["Ned", "Lodge"],
];
type Identifiers = (n: number) => [object, object];
/** Fields of two reports that share one identifier, written in different ways. */
const SHARED: Readonly<Record<string, Identifiers>> = {
  email: (n) => [{ email: `Person${n}@Mail.example` }, { email: `person${n}@mail.example` }],
  phone: (n) => [{ phone: `+1 303 555 ${1000 + n}` }, { phone: `(303) 555-${1000 + n}` }],
  card: (n) => [card(n), card(n)],
  "card of an additional chargeback": (n) => [
    card(n),
    {
      ...card(50_000 + n),
      chargebacks: [
        { amount: 5, ...card(60_000 + n) },
        { amount: 7, ...card(n) },
      ],
    },
  ],
  "bank account": (n) => [{ bank_account: `00${700_000 + n}` }, { bank_account: `${700_000 + n}` }],
  "street and ZIP": (n) => [
    { street_address: `${n + 1} Oak Street`, zip: "80202" },
    { street_address: `${n + 1} OAK ST.`, zip: "80202" },
  ],
};
function card(n: number): object {
  return { first_6: String(400_000 + (n % 100_000)), last_4: String(1000 + (n % 9000)) };
}

const system = forFile(() => startSystem());
/** The other report about the same person, by report. */
const truth = new Map<string, string>();
const sharedBy = new Map<string, string>();
const namesakes: string[] = [];

beforeAll(async () => {
  const add = ([first_name, last_name]: [string, string], fields: object) =>
    submit(system, {
      ...("bank_account" in fields ? badCheck : { ...chargeback, last_4: "0007" }),
      ...fields,
      first_name,
      last_name,
    });
  let n = random.between(0, 500) * 10;
  const pairs = Object.entries(SHARED).flatMap(([kind, identifiers]) =>
    RENAMED.map(async (rename) => {
      n += 1;
      const name = NAMES[random.between(0, NAMES.length - 1)] as [string, string];
      const [one, other] = identifiers(n);
      const ids = await Promise.all([add(name, one), add(rename(...name), other)]);
      truth.set(ids[0], ids[1]).set(ids[1], ids[0]);
      for (const id of ids) sharedBy.set(id, kind.replace(/ of an.*/, ""));
    }),
  );
  // The same names, with nothing else in common.
  const alone = NAMES.flatMap((name) => {
    n += 1;
    const contacts = { email: `alone${n}@mail.example`, phone: `+1 720 555 ${1000 + (n % 9000)}` };
    return [add(name, {}), add(name, contacts)];
  });
  namesakes.push(...(await Promise.all(alone)));
  await Promise.all(pairs);
});

async function matchesOf(id: string): Promise<{ id: string; shares: string[] }[]> {
  const answer = await system.read(`/prod/api/admin/reports/${id}`, "admin");
  return answer.json().data.possible_matches;
}

it("shows every pair that shares an identifier, and which one", async () => {
  expect(truth.size).toBe(2 * Object.keys(SHARED).length * RENAMED.length);
  const shown = [...truth].map(async ([id, other]) =>
    expect(await matchesOf(id)).toMatchObject([{ id: other, shares: [sharedBy.get(id)] }]),
  );
  await Promise.all(shown);
});

it("shows no namesakes without a shared identifier", async () => {
  for (const id of namesakes) expect(await matchesOf(id)).toEqual([]);
});

it("treats two reports as one person only if the name matches too", async () => {
  await Promise.all(truth.keys().map((id) => approve(system, id)));
  const offenders = (await system.read("/prod/api/habitual-offenders")).json().data as object[];
  expect(offenders).toHaveLength(Object.keys(SHARED).length);
});
