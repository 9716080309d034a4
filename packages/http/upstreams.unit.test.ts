import { describe, expect, it } from "vitest";
import { Upstreams } from "./upstreams.ts";

const urls = ["http://10.0.0.1:3002", "http://10.0.0.2:3002", "http://10.0.0.3:3002"];

/** Processes: those in `away` refuse connections, `unready` ones answer 503, `silent` ones time out. */
function processes(now: () => number = () => 0) {
  const away = new Set<string>();
  const unready = new Set<string>();
  const silent = new Set<string>();
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const { origin, pathname } = new URL(String(input));
    asked.push(pathname);
    if (away.has(origin)) throw new TypeError("fetch failed");
    if (silent.has(origin)) throw new DOMException("too late", "TimeoutError");
    return new Response("{}", { status: unready.has(origin) ? 503 : 200 });
  };
  return {
    away,
    unready,
    silent,
    asked,
    upstreams: new Upstreams(urls, { suspendMs: 100, fetch, now }),
  };
}

describe("the processes of a service", () => {
  it("take turns", () => {
    const { upstreams } = processes();
    expect([1, 2, 3, 4].map(() => upstreams.order()[0])).toEqual([
      "http://10.0.0.1:3002",
      "http://10.0.0.2:3002",
      "http://10.0.0.3:3002",
      "http://10.0.0.1:3002",
    ]);
    expect(upstreams.order()).toEqual([
      "http://10.0.0.2:3002",
      "http://10.0.0.3:3002",
      "http://10.0.0.1:3002",
    ]);
  });

  it("are tried last for a while after a failure, but still tried", () => {
    let now = 0;
    const { upstreams } = processes(() => now);
    upstreams.failed("http://10.0.0.1:3002");
    for (let i = 0; i < 6; i += 1) expect(upstreams.order().at(-1)).toBe("http://10.0.0.1:3002");
    expect(upstreams.states().map(({ ok }) => ok)).toEqual([false, true, true]);
    now = 101;
    expect([1, 2, 3].map(() => upstreams.order()[0])).toContain("http://10.0.0.1:3002");
  });

  it("are probed for readiness, which also ends a suspension", async () => {
    const { upstreams, away, unready, asked } = processes();
    away.add("http://10.0.0.1:3002");
    unready.add("http://10.0.0.2:3002");
    await upstreams.probe();
    expect(asked).toEqual(["/readyz", "/readyz", "/readyz"]);
    expect(upstreams.states().map(({ ok }) => ok)).toEqual([false, false, true]);
    for (let i = 0; i < 4; i += 1) expect(upstreams.order()[0]).toBe("http://10.0.0.3:3002");
    away.clear();
    upstreams.failed("http://10.0.0.1:3002");
    await upstreams.probe();
    expect(upstreams.states().map(({ ok }) => ok)).toEqual([true, false, true]);
  });

  it("are given up along with their calls if they time out while another one responds", async () => {
    const { upstreams, silent, unready, away } = processes();
    const signals = () => urls.map((url) => upstreams.givenUp(url));
    const calls = signals();
    const aborted = () => calls.map((signal) => signal?.aborted);
    for (const url of urls) silent.add(url);
    await upstreams.probe();
    expect(aborted()).toEqual([false, false, false]);
    silent.clear();
    unready.add("http://10.0.0.1:3002");
    away.add("http://10.0.0.2:3002");
    await upstreams.probe();
    expect(aborted()).toEqual([false, false, false]);
    silent.add("http://10.0.0.2:3002");
    away.clear();
    await upstreams.probe();
    expect(aborted()).toEqual([false, true, false]);
    // A call sent there afterward still waits until the next probe.
    expect(upstreams.givenUp("http://10.0.0.2:3002")?.aborted).toBe(false);
  });

  it("are all tried if none is healthy", async () => {
    const { upstreams, away } = processes();
    for (const url of urls) away.add(url);
    await upstreams.probe();
    expect(upstreams.order().toSorted()).toEqual(urls);
  });

  it("are probed repeatedly until closed", async () => {
    const asked: string[] = [];
    const twice = Promise.withResolvers<void>();
    const upstreams = new Upstreams(["http://10.0.0.1:3002"], {
      probeMs: 1,
      fetch: async () => {
        if (asked.push("probe") === 2) twice.resolve();
        return new Response("{}");
      },
    });
    upstreams.start();
    await twice.promise;
    await upstreams.stop();
    const { length } = asked;
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(length);
  });

  it("are one per address of their hostname", async () => {
    let addresses = ["10.0.0.1", "10.0.0.2"];
    const failing = new Set<string>();
    const upstreams = new Upstreams(["http://query-api:3002"], {
      resolve: async (host) => {
        expect(host).toBe("query-api");
        if (addresses.length === 0) throw new Error("no such host");
        return addresses;
      },
      fetch: async (input) => new Response("", { status: failing.has(String(input)) ? 503 : 200 }),
    });
    expect(upstreams.order()).toEqual(["http://query-api:3002"]);
    failing.add("http://10.0.0.1:3002/readyz");
    await upstreams.probe();
    expect(upstreams.order()).toEqual(["http://10.0.0.2:3002", "http://10.0.0.1:3002"]);
    addresses = ["10.0.0.2", "fd00::3"];
    await upstreams.probe();
    expect(upstreams.order().toSorted()).toEqual(["http://10.0.0.2:3002", "http://[fd00::3]:3002"]);
    addresses = [];
    await upstreams.probe();
    expect(upstreams.order()).toEqual(["http://query-api:3002"]);
  });

  it("require at least one address", () => {
    expect(() => new Upstreams([])).toThrow(/at least one address/);
  });
});
