import { describe, expect, it } from "vitest";
import { GuardedSearch } from "./guarded-search.ts";
import {
  type IndexState,
  InvalidPageToken,
  type SearchResult,
  SearchTooSlow,
  SearchUnavailable,
} from "./port.ts";

const FOUND = { hits: [] } as unknown as SearchResult;
const STATE: IndexState = { position: null, matching: "same" };
const POLL_MS = 20;
const turn = () => new Promise((resolve) => setImmediate(resolve));
const afterPause = () => new Promise((resolve) => setTimeout(resolve, 2 * POLL_MS));

function guarded() {
  const engine = {
    searches: 0,
    looks: 0,
    /** Behavior of searches and probes. */
    search: async (): Promise<SearchResult> => FOUND,
    state: async (): Promise<IndexState> => STATE,
  };
  const changes: boolean[] = [];
  const index = {
    search: () => {
      engine.searches += 1;
      return engine.search();
    },
    state: () => {
      engine.looks += 1;
      return engine.state();
    },
  };
  const guard = new GuardedSearch(index, {
    lookMs: POLL_MS,
    slowMs: 5,
    isAway: (error) => error instanceof SearchUnavailable,
    onChange: (isServing) => changes.push(isServing),
  });
  const away = () => Promise.reject(new SearchUnavailable("away"));
  return { guard, engine, changes, away, search: () => guard.search({ size: 9 }) };
}

/** Makes the engine fail until searches are rejected. */
async function broken() {
  const all = guarded();
  Object.assign(all.engine, { search: all.away, state: all.away });
  for (let n = 0; n < 3; n += 1) await expect(all.search()).rejects.toThrow("away");
  return all;
}

describe("searches in an engine that goes down", () => {
  it("are rejected immediately after three failures, without asking the engine", async () => {
    const { search, engine, changes } = await broken();
    // An engine that never responds makes no one wait.
    Object.assign(engine, { search: () => new Promise(() => undefined) });
    for (let n = 0; n < 10; n += 1) await expect(search()).rejects.toThrow(SearchUnavailable);
    expect(engine.searches).toBe(3);
    expect(changes).toEqual([false]);
  });

  it("trigger one probe at a time, without waiting for it, and are served again once it succeeds", async () => {
    const { search, engine, changes } = await broken();
    const answer = Promise.withResolvers<IndexState>();
    engine.state = () => answer.promise;
    await afterPause();
    for (let n = 0; n < 5; n += 1) await expect(search()).rejects.toThrow(SearchUnavailable);
    expect(engine.looks).toBe(1);
    engine.search = async () => FOUND;
    answer.resolve(STATE);
    await turn();
    expect(await search()).toBe(FOUND);
    expect(changes).toEqual([false, true]);
  });

  it("stay rejected when a probe fails, and trigger another", async () => {
    const { search, engine, changes } = await broken();
    for (let look = 1; look <= 2; look += 1) {
      await afterPause();
      await expect(search()).rejects.toThrow(SearchUnavailable);
      expect(engine.looks).toBe(look);
      await turn();
    }
    expect(changes).toEqual([false]);
  });

  it("are served to others while one visitor's take too long, as long as probes succeed", async () => {
    const { search, engine, changes } = guarded();
    for (let round = 1; round <= 5; round += 1) {
      const answer = Promise.withResolvers<SearchResult>();
      engine.search = () => answer.promise;
      const slow = Promise.allSettled([search(), search(), search(), search()]);
      await expect.poll(() => engine.looks).toBeGreaterThanOrEqual(round);
      await turn();
      answer.reject(new SearchTooSlow("too slow"));
      expect((await slow).map(({ status }) => status)).not.toContain("fulfilled");
    }
    engine.search = async () => FOUND;
    expect(await search()).toBe(FOUND);
    expect(changes).toEqual([]);
  });

  it("are rejected while one is slow and a probe fails as well", async () => {
    const { search, engine, changes } = guarded();
    const look = Promise.withResolvers<IndexState>();
    const answer = Promise.withResolvers<SearchResult>();
    Object.assign(engine, { search: () => answer.promise, state: () => look.promise });
    const slow = search();
    await expect.poll(() => engine.looks).toBe(1);
    const others = Promise.allSettled([search(), search()]);
    look.reject(new SearchTooSlow("too slow"));
    await expect.poll(() => changes).toEqual([false]);
    expect(engine.looks).toBe(1);
    await expect(search()).rejects.toThrow("the search engine is unavailable");
    expect(engine.searches).toBe(3);
    answer.resolve(FOUND);
    expect(await slow).toBe(FOUND);
    await others;
  });

  it("trigger no probe when they were fast", async () => {
    const { search, engine } = guarded();
    for (let n = 0; n < 3; n += 1) await search();
    await afterPause();
    expect(engine.looks).toBe(0);
  });

  it("still reach the engine after failures that are not consecutive or are the search's own", async () => {
    const { search, engine, away } = guarded();
    for (let round = 0; round < 4; round += 1) {
      engine.search = away;
      await expect(search()).rejects.toThrow("away");
      await expect(search()).rejects.toThrow("away");
      engine.search = async () => FOUND;
      expect(await search()).toBe(FOUND);
    }
    engine.search = () => Promise.reject(new InvalidPageToken());
    for (let n = 0; n < 5; n += 1) await expect(search()).rejects.toThrow(InvalidPageToken);
    expect(engine.searches).toBe(17);
  });
});
