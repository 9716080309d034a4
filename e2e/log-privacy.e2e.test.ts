import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Haproxy, noHaproxy, startHaproxy } from "#deploy/testing/haproxy.fixture.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { endLeftovers } from "#local-servers/postgres/open.ts";
import { CANARIES } from "#test-kit/canaries.ts";
import {
  badCheckWithCanaries,
  chargebackWithCanaries,
  everything,
  found,
  ofAccounts,
  REASON,
  registration,
} from "./support/canaries.ts";
import { type Registry, startRegistry } from "./support/registry.ts";

const FIRST_NAME = CANARIES.first_name.toLowerCase();
const ADMIN = { email: "zqadmincanary@registry.example", password: "Zqpasswordcanary-1" };

let dataDir: string;
let registry: Registry;
/** In front of the registry, whose single port answers for all services. */
let haproxy: Haproxy | undefined;
let token = "";
let position = "";
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-log-privacy-"));
  registry = await startRegistry({
    dataDir,
    env: { LOG_LEVEL: "debug", ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  });
  const each = [registry.url];
  if (!noHaproxy) haproxy = await startHaproxy({ commandApi: each, queryApi: each, web: each });
  else console.log(`  The log of HAProxy is not read: ${noHaproxy}`);
});
afterAll(async () => {
  await haproxy?.stop();
  registry?.signal("SIGKILL");
  await registry?.exited;
  await endLeftovers(dataPaths(dataDir).cluster);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** Sends a request to the running registry. @returns its status, and the reply's data. */
async function send(method: string, url: string, body?: unknown) {
  // Reads have names in their paths and queries. HAProxy retries reads, so none fails on the way.
  const { url: base } =
    (["POST", "PUT", "DELETE"].includes(method) ? undefined : haproxy) ?? registry;
  const answer = await fetch(base + url, {
    method,
    redirect: "manual",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(position ? { "x-min-position": position } : {}),
      "user-agent": "Zqagentcanary/1.0",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  position = answer.headers.get("x-position") ?? position;
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json");
  return { status: answer.status, data: isJson ? JSON.parse(text).data : text };
}

/** Returns everything that the registry and its database wrote for people to read, by source. */
async function written(): Promise<Map<string, string>> {
  const names = await readdir(dataDir, { recursive: true });
  const logs = names.filter((name) => name.endsWith(".log"));
  const texts = await Promise.all(
    logs.map(
      async (name): Promise<[string, string]> => [
        name,
        await readFile(path.join(dataDir, name), "utf8"),
      ],
    ),
  );
  return new Map([
    ...texts,
    ["printed", registry.output()],
    ...(haproxy ? [["haproxy", haproxy.output()] as const] : []),
  ]);
}

it("no log file and no output contains user input, even at the most verbose level", async () => {
  const submit = "/prod/api/reports/submit";
  const ids: string[] = [];
  for (const body of [chargebackWithCanaries, badCheckWithCanaries]) {
    const { status, data } = await send("POST", submit, body);
    expect(status).toBe(200);
    ids.push(data.id);
    expect((await send("POST", submit, { ...body, title: 5, zqfieldcanary: "x" })).status).toBe(
      400,
    );
    expect((await send("POST", submit, { ...body, city: `Zqcitycanary\n` })).status).toBe(200);
    const resend = `/prod/api/reports/${data.id}/resend-verification`;
    expect((await send("POST", resend, { email: CANARIES.reporter_email })).status).toBe(200);
  }
  expect((await send("POST", "/prod/api/auth/register", registration)).status).toBe(200);
  const { email } = registration;
  expect((await send("POST", "/prod/api/auth/forgot-password", { email })).status).toBe(200);
  const refused = { email: CANARIES.email, password: "Zqwrongcanary-1" };
  expect((await send("POST", "/prod/api/auth/login", refused)).status).toBe(401);
  const login = await send("POST", "/prod/api/auth/login", ADMIN);
  token = login.data.token;
  for (const id of ids) {
    const admin = `/prod/api/admin/reports/${id}`;
    expect((await send("POST", `${admin}/reject`, { reason: REASON })).status).toBe(200);
    expect((await send("PUT", admin, { notes: "Zqnotescanary, again" })).status).toBe(200);
    expect((await send("POST", `${admin}/approve`, {})).status).toBe(200);
    expect((await send("POST", `${admin}/reveal`, {})).status).toBe(200);
    expect((await send("GET", `${admin}/history?at=2`)).status).toBe(200);
  }
  for (const q of [FIRST_NAME, CANARIES.email, CANARIES.phone]) {
    const query = new URLSearchParams({ q });
    expect((await send("GET", `/prod/api/reports/search?${query}`)).status).toBe(200);
    // The page is a visitor's, who may not search by email or phone.
    const status = q === FIRST_NAME ? 200 : 403;
    expect((await send("GET", `/search?${query}`)).status).toBe(status);
  }
  const recent = (await send("GET", "/prod/api/reports/recent")).data;
  expect(recent.length).toBe(2);
  for (const { seo_title } of recent) {
    expect(seo_title).toContain(FIRST_NAME);
    expect((await send("GET", `/report/${seo_title}`)).status).toBe(200);
  }
  expect((await send("GET", `/nowhere/${FIRST_NAME}`)).status).toBe(404);
  expect((await send("GET", `/prod/api/${FIRST_NAME}?email=zqemailcanary`)).status).toBe(404);
  for (const id of ids)
    expect((await send("DELETE", `/prod/api/admin/reports/${id}`, {})).status).toBe(200);
  // An address and a method that HAProxy itself refuses. Without HAProxy, the address matches no page, and Node's
  // parser, which knows methods by name, rejects the request as malformed.
  const [badAddress, badMethod] = haproxy ? [400, 405] : [404, 400];
  expect((await send("GET", `//${FIRST_NAME}`)).status).toBe(badAddress);
  expect((await send("ZQMETHODCANARY", "/")).status).toBe(badMethod);
  expect(await registry.stop()).toBe(0);

  const texts = await written();
  expect(texts.get("registry.log")).toContain('"route":"/prod/api/reports/submit"');
  expect([...texts.keys()]).toContain("postgres.log");
  if (haproxy) expect(texts.get("haproxy")).toMatch(/"method":"GET","backend":"query-api"/);
  const canaries = [
    ...everything,
    ...ofAccounts,
    "zqfieldcanary",
    "zqwrongcanary",
    "zqagentcanary",
    "zqmethodcanary",
  ];
  const leaks = [...texts].flatMap(([name, text]) =>
    found(text, canaries).map((canary) => `${name}: ${canary}`),
  );
  expect(leaks).toEqual([]);
  // Only the operator, who set it, sees the first admin's address.
  texts.delete("printed");
  for (const [name, text] of texts)
    expect([name, found(text, ["zqadmincanary", "zqpasswordcanary"])]).toEqual([name, []]);
});
