import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Backends, type Haproxy, noHaproxy, startHaproxy } from "./testing/haproxy.fixture.ts";
import { answer, keyed, type Seen, upstream } from "./testing/upstream.fixture.ts";
import { upstreamProcess } from "./testing/upstream-process.fixture.ts";

/** Maximum seconds that a caller of the registry waits for a frozen process. */
const PROMISED_S = 8;
/** Makes each process get one request before either gets a second. */
const IN_TURN = { "balance leastconn": "balance roundrobin" };
/** Limits of commands, files and streams, raised beyond any test, so that only cutting off ends a request. */
const NEVER = {
  "timeout server 20s": "timeout server 600s",
  "timeout server 30s": "timeout server 600s",
  "timeout server 120s": "timeout server 600s",
};
const SOON = { timeout: 60_000, interval: 50 };

const SUBMIT = "/prod/api/reports/submit";
const UPLOAD = "/prod/api/uploads";
const STREAM = "/prod/api/admin/changes";

/** Starts HAProxy with its original check limits, and waits until each process has passed one. */
async function openInFront(behind: Backends): Promise<Haproxy> {
  const haproxy = await startHaproxy(behind, { instead: { ...IN_TURN, ...NEVER } });
  onTestFinished(() => haproxy.stop());
  const { commandApi = [], queryApi = [], web = [] } = behind;
  // Among the APIs, streams and files have separate checks.
  const checked = 2 * commandApi.length + 2 * queryApi.length + web.length;
  await expect
    .poll(() => figures(haproxy, /^haproxy_server_check_status{.*state="L7OK"} 1$/gm), SOON)
    .toHaveLength(checked);
  return haproxy;
}

const figures = async ({ operators }: Haproxy, pattern: RegExp) =>
  (await (await fetch(`${operators}/metrics`)).text()).match(pattern) ?? [];

/** Waits until HAProxy has marked a process down. */
const isDown = (haproxy: Haproxy, proxy: string, server: string) =>
  expect
    .poll(
      () => figures(haproxy, new RegExp(`"${proxy}",server="${server}",state="DOWN"} 1`, "g")),
      SOON,
    )
    .toHaveLength(1);

/** How a request ends. One that is cut off gets 503 or a closed connection (docs/adr/0035-haproxy.md). */
async function endOf(address: string, method = "GET"): Promise<"answered" | "cut off"> {
  const body = method === "POST" ? { body: "{}" } : {};
  const found = await fetch(address, { method, headers: keyed, ...body }).catch((error) => {
    if (error.cause?.code !== "UND_ERR_SOCKET") throw error;
  });
  if (!found) return "cut off";
  const text = await found.text();
  if (found.status === 200) return "answered";
  expect([found.status, found.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(JSON.parse(text).error.code).toBe("unavailable");
  return "cut off";
}

describe("HAProxy, while a process is frozen", () => {
  beforeEach((context) => {
    if (noHaproxy) context.skip(noHaproxy);
  });

  it("redispatches reads, and cuts off commands, files and streams without ever repeating them", async () => {
    const [frozen, well] = [await upstreamProcess(), await upstreamProcess()];
    const both = [frozen.url, well.url];
    const { url } = await openInFront({ commandApi: both, queryApi: both, web: both });
    frozen.freeze();
    const asked = [
      ["GET", "/prod/read", ["answered", "answered"]],
      ["GET", "/page", ["answered", "answered"]],
      ["POST", SUBMIT, ["answered", "cut off"]],
      ["POST", UPLOAD, ["answered", "cut off"]],
    ] as const;
    const streams = Promise.all([endOf(url + STREAM), endOf(url + STREAM)]);
    await Promise.all(
      asked.map(async ([method, path, ends]) => {
        const found = await Promise.all(["one", "two"].map(() => endOf(url + path, method)));
        expect([path, found.sort()]).toEqual([path, ends]);
      }),
    );
    expect(await streams).toContain("answered");
    // A stream's reader opens it again.
    expect(await endOf(url + STREAM)).toBe("answered");
    expect(well.seen.filter((call) => call !== `GET ${STREAM}`).toSorted()).toEqual(
      asked
        .flatMap(([method, path]) => Array(method === "GET" ? 2 : 1).fill(`${method} ${path}`))
        .sort(),
    );
  });

  it("cuts off nothing on a process that finishes its work before it exits", async () => {
    const frozen = await upstreamProcess();
    const seen: Seen[] = [];
    let isReady = true;
    const held = Promise.withResolvers<void>();
    const ending = await upstream(
      "ending",
      seen,
      async (_request, response) => {
        await held.promise;
        response.end("whole");
      },
      () => isReady,
    );
    const well = await upstream("well", seen, answer);
    const haproxy = await openInFront({ commandApi: [ending, frozen.url, well] });
    const begun = [endOf(haproxy.url + SUBMIT, "POST"), endOf(haproxy.url + UPLOAD, "POST")];
    await expect.poll(() => seen.map(({ at }) => at), SOON).toEqual(["ending", "ending"]);
    isReady = false;
    frozen.freeze();
    await isDown(haproxy, "command-api", "command-api1");
    await isDown(haproxy, "command-api-uploads", "command-api1");
    // In each, the first one goes to the frozen process.
    const later = [SUBMIT, SUBMIT, UPLOAD, UPLOAD].map((path) => endOf(haproxy.url + path, "POST"));
    const cut = "cut off" as const;
    expect((await Promise.all(later)).sort()).toEqual(["answered", "answered", cut, cut]);
    held.resolve();
    expect(await Promise.all(begun)).toEqual(["answered", "answered"]);
  });

  it("leaves no process if no other one responds", async () => {
    const late = [await upstreamProcess(), await upstreamProcess()];
    const [frozen, well] = [await upstreamProcess(), await upstreamProcess()];
    const haproxy = await openInFront({
      commandApi: late.map(({ url }) => url),
      queryApi: [frozen.url, well.url],
    });
    for (const each of late) each.freeze();
    const paths = [SUBMIT, SUBMIT, UPLOAD, UPLOAD];
    const waiting = paths.map((path) => endOf(haproxy.url + path, "POST"));
    for (const proxy of ["command-api", "command-api-uploads"])
      for (const n of [1, 2]) await isDown(haproxy, proxy, `command-api${n}`);
    // At the same time, HAProxy takes a process of another service out of rotation.
    frozen.freeze();
    await Promise.all([endOf(haproxy.url + STREAM), endOf(haproxy.url + STREAM)]);
    for (const each of late) each.thaw();
    expect(await Promise.all(waiting)).toEqual(paths.map(() => "answered"));
    expect(late.flatMap(({ seen }) => seen)).toHaveLength(paths.length);
  });
});

it("deploy/haproxy.cfg has limits that leave a frozen process within eight seconds", async () => {
  const config = await readFile("deploy/haproxy.cfg", "utf8");
  const script = await readFile("deploy/haproxy/leave-frozen.lua", "utf8");
  /** In seconds, such as of `timeout check 2500ms`. */
  const limit = (after: RegExp, text = config) => {
    const [, number, unit] = new RegExp(`${after.source} (\\d+)(ms|s)\\b`).exec(text) ?? [];
    return Number(number) / (unit === "ms" ? 1000 : 1);
  };
  const everyS = Number(/^local EVERY_MS = (\d+)$/m.exec(script)?.[1]) / 1000;
  const markedDown = limit(/ inter/) + 2 * limit(/timeout check/) + limit(/ fastinter/);
  expect(markedDown + everyS).toBeLessThan(PROMISED_S - 1);
  for (const backend of ["query-api", "web"]) {
    const read = limit(/ {2}timeout server/, config.split(`\nbackend ${backend}\n`)[1]);
    // A read of seven seconds is slow, not frozen. The other process answers in the remaining time.
    expect(read, backend).toBeGreaterThan(7);
    expect(read, backend).toBeLessThanOrEqual(PROMISED_S - 0.5);
    // By then the process is known to be frozen, and gets no more requests.
    expect(read, backend).toBeGreaterThan(markedDown);
  }
});
