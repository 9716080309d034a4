import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_ASKED } from "#contracts/http/system.ts";
import { PolledProcesses } from "./asked-processes.ts";

const HAPROXY = `haproxy_process_uptime_seconds 70
haproxy_process_pool_allocated_bytes 1000
haproxy_process_idle_time_percent 88
`;
const STARTED = 1_000_000_000;
const webTells = (cpu: number) => `# HELP process_cpu_seconds_total of all
process_cpu_seconds_total{service="web"} ${cpu}
process_start_time_seconds{service="web"} ${STARTED}
process_resident_memory_bytes{service="web"} 2000
`;

/** Starts an operators' port that answers every request with `answer`. */
async function portOf(
  answer: (response: http.ServerResponse) => unknown,
  host = "127.0.0.1",
): Promise<string> {
  const server = http.createServer((_request, response) => void answer(response));
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const asked = (...urls: string[]) => new PolledProcesses(urls).ask();

it("asks no one if no address is configured", async () => {
  expect(await asked()).toEqual([]);
});

it("reads the figures of HAProxy and web, each from its address", async () => {
  const haproxy = await portOf((response) => response.end(HAPROXY));
  const web = await portOf((response) => response.end(webTells(1)));
  const [first, second] = await asked(haproxy, web);
  const figures = { service: "haproxy", uptime: 70, memory: 1000, cpu: 12 };
  expect(first).toEqual({ address: 1, figures });
  expect(second).toMatchObject({ address: 2, figures: { service: "web", memory: 2000 } });
  const age = Date.now() / 1000 - STARTED;
  expect(Math.abs((second?.figures?.uptime ?? 0) - age)).toBeLessThan(60);
});

it("reads HAProxy's version, however its response is split, and none from web", async () => {
  const haproxy = await portOf((response) => {
    response.write(HAPROXY);
    setImmediate(() => response.end('haproxy_process_build_info{version="3.2.26-1"} 1\n'));
  });
  expect(await new PolledProcesses([haproxy]).haproxyVersion()).toBe("3.2.26-1");
  const web = await portOf((response) => response.end(webTells(1)));
  expect(await new PolledProcesses([web]).haproxyVersion()).toBe("");
});

it("measures web's CPU time since the last poll, or since its start after a restart", async () => {
  let tells = webTells(1);
  const processes = new PolledProcesses([await portOf((response) => response.end(tells))]);
  const cpu = async () => (await processes.ask())[0]?.figures?.cpu;
  // One second in years.
  expect(await cpu()).toBe(0);
  tells = webTells(1_000_000);
  expect(await cpu()).toBeGreaterThan(100);
  tells = webTells(2_000_000).replace(String(STARTED), String(STARTED + 10));
  expect(await cpu()).toBeLessThan(1);
});

it("has no figures of a process that is down or silent, or whose reply is invalid or too large", async () => {
  const haproxy = await portOf((response) => response.end(HAPROXY));
  const told = await asked(
    "http://127.0.0.1:1",
    await portOf(() => undefined),
    await portOf((response) => response.writeHead(404).end(HAPROXY)),
    await portOf((response) => response.writeHead(302, { location: haproxy }).end()),
    await portOf((response) => response.end(`${"# x\n".repeat(300_000)}${HAPROXY}`)),
    await portOf((response) => response.end("<html>")),
    await portOf((response) => response.end(HAPROXY.replace("88", "NaN"))),
    "http://nobody.invalid:3006",
    haproxy,
  );
  expect(told.map(({ figures }) => figures !== undefined)).toEqual([...Array(8).fill(false), true]);
});

it("asks no more processes than the reply can hold", async () => {
  let requests = 0;
  const url = await portOf((response) => {
    requests += 1;
    response.end(HAPROXY);
  });
  const urls = Array.from({ length: MAX_ASKED + 5 }, () => url);
  expect(await asked(...urls)).toHaveLength(MAX_ASKED);
  expect(requests).toBe(MAX_ASKED);
});

describe("a name with IPv4 and IPv6 addresses", () => {
  const both = async () => ["127.0.0.1", "::1"];
  const askBoth = (url: string) =>
    new PolledProcesses([url.replace("127.0.0.1", "name.test")], both).ask();

  it("counts each process once", async () => {
    const url = await portOf((response) => response.end(HAPROXY), "::");
    expect(await askBoth(url)).toEqual([
      { address: 1, figures: expect.objectContaining({ service: "haproxy" }) },
    ]);
  });

  it("uses the protocol over which they respond", async () => {
    const url = await portOf((response) => response.end(HAPROXY), "::1");
    expect(await askBoth(url)).toEqual([
      { address: 1, figures: expect.objectContaining({ service: "haproxy" }) },
    ]);
  });

  it("is one entry if no one responds", async () => {
    const url = await portOf((response) => response.socket?.destroy());
    expect(await askBoth(url)).toEqual([{ address: 1 }]);
  });
});
