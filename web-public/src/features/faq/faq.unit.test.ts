import { RouterContextProvider } from "react-router-dom";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Answer, FAQ, fakeRegistry, ok } from "../../../testing/fake-registry.ts";
import { apiContext, createApiClient } from "../../api/client.ts";
import { findAnswers } from "./FaqPage.tsx";
import { FAQ_KEY, faqLoader, readFaqCache, writeFaqCache } from "./faq.loader.ts";

const older = FAQ.slice(0, 1).map((item) => ({ ...item, answer: "<p>Former answer</p>" }));

function keep(kept: string | null) {
  const items = new Map(kept === null ? [] : [[FAQ_KEY, kept]]);
  const localStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  };
  vi.stubGlobal("window", { localStorage });
  return items;
}

function load(answer: Answer, query = "") {
  const { fetch } = fakeRegistry({ "GET /prod/api/faq": answer });
  const position = { read: () => undefined, write: () => undefined };
  const api = createApiClient({ baseUrl: "http://query.test", position, fetch });
  const context = new RouterContextProvider(new Map([[apiContext, api]]));
  const request = new Request(`http://site.test/faq${query}`);
  return faqLoader({ context, request, params: {} } as unknown as Parameters<typeof faqLoader>[0]);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the cached questions", () => {
  it("show immediately, followed by the server's list", async () => {
    keep(JSON.stringify(older));
    const { items, newest } = await load(ok(FAQ));
    expect(items).toEqual(older);
    expect(await newest).toEqual(FAQ);
  });

  it("show if the registry is unreachable", async () => {
    keep(JSON.stringify(older));
    const { items, newest } = await load(undefined);
    expect(items).toEqual(older);
    expect(await newest).toBeNull();
  });

  it("are overwritten by the server's list", () => {
    const items = keep(JSON.stringify(older));
    writeFaqCache(FAQ);
    expect(JSON.parse(items.get("registry_faq_items") ?? "")).toEqual(FAQ);
    expect(readFaqCache()).toEqual(FAQ);
  });

  it.each([null, "", "{", "[]", "{}", '[{"id":1}]', '[{"id":"a","question":"b","answer":"c"}]'])(
    "are ignored if they are %j",
    async (kept) => {
      keep(kept);
      const { items, newest } = await load(ok(FAQ));
      expect(items).toEqual(FAQ);
      expect(newest).toBeUndefined();
    },
  );

  it("aren't used on the server, where a failure is an error page", async () => {
    const data = await load(ok(FAQ), "?q=fee");
    expect(data).toEqual({ items: FAQ, text: "fee" });
    await expect(load(undefined)).rejects.toMatchObject({ init: { status: 503 } });
  });
});

it("a search matches words of questions and answers, but no markup", () => {
  const ids = (text: string) => findAnswers(FAQ, text).map(({ id }) => id);
  expect(ids("")).toEqual(["what", "cost"]);
  expect(ids("REGISTRY")).toEqual(["what"]);
  expect(ids("free cost")).toEqual(["cost"]);
  expect(ids("free nothing")).toEqual([]);
  expect(ids("strong")).toEqual([]);
});
