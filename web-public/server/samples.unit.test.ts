import { describe, expect, it } from "vitest";
import { askForSamples } from "./samples.ts";

const reply = (loaded: boolean) => Response.json({ success: true, data: { loaded } });

/** A site with a fake clock and a query-api that returns these answers in turn. */
function site(...answers: (Response | Error)[]) {
  const asked: string[] = [];
  let time = 0;
  const ask = askForSamples({
    queryUrl: "http://query.test",
    async fetch(input) {
      asked.push(String(input));
      const answer = answers.shift();
      if (!(answer instanceof Response)) throw answer ?? new Error("asked too often");
      return answer;
    },
    now: () => time,
  });
  return {
    ask,
    asked,
    pass(ms: number) {
      time += ms;
    },
  };
}

describe("whether there are samples", () => {
  it("is requested once for all pages within five seconds, and then again", async () => {
    const { ask, asked, pass } = site(reply(true), reply(false));
    expect(await Promise.all([ask(), ask()])).toEqual([true, true]);
    pass(4_999);
    expect(await ask()).toBe(true);
    expect(asked).toEqual(["http://query.test/prod/api/samples"]);
    pass(1);
    expect(await ask()).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it("is unknown if query-api refuses or is down, and requested again later", async () => {
    const { ask, pass } = site(
      new Response(undefined, { status: 503 }),
      new TypeError("fetch failed"),
      reply(true),
    );
    await expect(ask()).rejects.toThrow("query-api answers 503");
    pass(5_000);
    await expect(ask()).rejects.toThrow("fetch failed");
    pass(5_000);
    expect(await ask()).toBe(true);
  });
});
