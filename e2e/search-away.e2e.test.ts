import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import {
  noOwnSearchNode,
  type OwnSearchNode,
  startOwnSearchNode,
} from "#test-kit/own-search-node.ts";
import { findChromium, NO_BROWSER, openBrowser, openPage, takenOver } from "./support/browser.ts";
import { type Registry, startRegistry } from "./support/registry.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const absent = executable ? await noOwnSearchNode() : NO_BROWSER;
const SEARCH = "/search?q=delgado";
const AWAY = "The search is away for a moment and comes back by itself.";
const recovered = { timeout: 120_000, interval: 500 };

let dataDir: string;
let node: OwnSearchNode;
let network: TcpProxy;
let registry: Registry;
let browser: Browser;

beforeAll(async () => {
  if (absent || !executable) return;
  dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-search-away-"));
  node = await startOwnSearchNode();
  const { hostname: host, port } = new URL(node.url);
  network = await startTcpProxy({ host, port: Number(port) });
  registry = await startRegistry({
    dataDir,
    env: {
      SEARCH_URL: `http://127.0.0.1:${network.port}/?index=search-away`,
      SAMPLE_DATA: "",
      RATE_LIMIT: "off",
    },
  });
  browser = await openBrowser(executable);
});
afterAll(async () => {
  await browser?.close();
  await registry?.stop();
  await network?.close();
  await node?.dispose();
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const url = (route: string) => `${registry.url}${route}`;

/** @returns the status of a visitor's search. */
async function searched(): Promise<number> {
  return (await fetch(url("/prod/api/reports/search?q=delgado"))).status;
}

/** Breaks the way to the engine, until searches are refused before they get there. */
async function takeAway(): Promise<void> {
  await expect.poll(searched, recovered).toBe(200);
  network.cut();
  for (let n = 0; n < 3; n += 1) expect(await searched()).toBe(503);
}

describe("a visitor who searches while the search engine is away", () => {
  skipWhere(absent);

  it("reads so, and finds the results on the same page once it is back, without losing what was typed", async () => {
    await takeAway();
    const { page, complaints } = await openPage(browser);
    const answer = await page.goto(url(SEARCH));
    expect([answer?.status(), Number(answer?.headers()["retry-after"]) > 0]).toEqual([503, true]);
    await takenOver(page);
    const told = page.getByRole("alert");
    await told.getByText(`${AWAY} This page tries again on its own.`).waitFor();
    await page.getByLabel("Name, title or location").fill("typed meanwhile");
    network.restore();
    await page.getByRole("heading", { name: /^[1-9]\d* reports? found$/ }).waitFor(recovered);
    expect(await told.isVisible()).toBe(false);
    expect(await page.getByLabel("Name, title or location").inputValue()).toBe("typed meanwhile");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("reads so without JavaScript, and searches again by the link", async () => {
    await takeAway();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const answer = await page.goto(url(SEARCH));
    expect([answer?.status(), Number(answer?.headers()["retry-after"]) > 0]).toEqual([503, true]);
    await page.getByText(AWAY, { exact: true }).waitFor();
    network.restore();
    await expect.poll(searched, recovered).toBe(200);
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("heading", { name: /^[1-9]\d* reports? found$/ }).waitFor();
    await context.close();
  });
});
