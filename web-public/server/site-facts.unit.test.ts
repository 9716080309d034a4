import { expect, it } from "vitest";
import { askForSiteFacts, lastKnown } from "./site-facts.ts";

const PAGES = [{ slug: "about-us", title: "About us" }];

/** The footer's pages, with a fake clock and a query-api that returns these answers in turn. */
function footer(...answers: (Response | undefined)[]) {
  const asked: string[] = [];
  const failures: unknown[] = [];
  let time = 0;
  const ask = askForSiteFacts({
    queryUrl: "http://query.test",
    async fetch(input) {
      asked.push(String(input));
      const answer = answers.shift();
      if (!answer) throw new TypeError("fetch failed");
      return answer;
    },
    now: () => time,
  });
  const pass = (ms: number) => {
    time += ms;
  };
  const none = { pages: [], terms_version: "", max_file_size: 10 };
  const facts = lastKnown(ask, none, (error) => failures.push(error));
  const pages = async () => (await facts()).pages;
  return { pages, asked, failures, pass };
}
const reply = (pages: typeof PAGES) =>
  Response.json({ success: true, data: { pages, terms_version: "2026-11-23" } });

it("reads the footer's pages once a second for all pages together", async () => {
  const { pages, asked, pass } = footer(reply(PAGES), reply([]));
  expect(await Promise.all([pages(), pages()])).toEqual([PAGES, PAGES]);
  pass(999);
  expect(await pages()).toEqual(PAGES);
  expect(asked).toEqual(["http://query.test/prod/api/site"]);
  pass(1);
  expect(await pages()).toEqual([]);
});

it("keeps the previous pages while query-api is down, and starts with none", async () => {
  const { pages, failures, pass } = footer(
    undefined,
    reply(PAGES),
    new Response(undefined, { status: 503 }),
  );
  expect(await pages()).toEqual([]);
  pass(1_000);
  expect(await pages()).toEqual(PAGES);
  pass(1_000);
  expect(await pages()).toEqual(PAGES);
  expect(failures).toEqual([new TypeError("fetch failed"), new Error("query-api returned 503")]);
});
