import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CardPaymentsUnavailable } from "./card-processor.ts";
import { StripeProcessor } from "./stripe-processor.ts";

/** Where `go install github.com/stripe/stripe-mock@latest` installs it, unless it is in the path. */
const places = ["stripe-mock", path.join(os.homedir(), "go", "bin", "stripe-mock")];
const program = places.find((place) => spawnSync(place, ["-version"]).status === 0);

let server: ChildProcess | undefined;
let apiUrl: string;

/** Starts it on a port of its choice, and waits until it prints the address. */
async function start(command: string): Promise<string> {
  server = spawn(command, ["-http-addr", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "ignore"] });
  if (!server.stdout) throw new Error("stripe-mock has no output");
  const output = server.stdout;
  for await (const line of createInterface({ input: output })) {
    const [, address] = /HTTP at address: (\S+)/.exec(line) ?? [];
    if (!address) continue;
    // Otherwise it would block once its pipe is full.
    output.resume();
    return `http://${address}`;
  }
  throw new Error("stripe-mock ended");
}

const processor = (secretKey = "sk_test_123") =>
  new StripeProcessor({ secretKey, webhookSecret: "whsec_1", apiUrl }, pino({ level: "silent" }));

describe("calls to Stripe, which its own mock checks against Stripe's description", () => {
  beforeEach((context) => {
    if (!program) context.skip("no stripe-mock is installed");
  });
  beforeAll(async () => {
    if (program) apiUrl = await start(program);
  });
  afterAll(async () => {
    if (!server || server.exitCode !== null) return;
    const ended = once(server, "exit");
    server.kill();
    await ended;
  });

  const order = {
    paymentId: randomUUID(),
    reportId: randomUUID(),
    amountCents: 25_000,
    currency: "USD",
    title: "RESOLVED banner for report 4F2A",
    expiresAt: new Date(Date.now() + 3_600_000),
    paidUrl: "https://registry.test/dashboard/reports/1?payment=done",
    leftUrl: "https://registry.test/dashboard/reports/1?payment=left",
  } as const;

  it("open a page, without unknown parameters", async () => {
    const page = await processor().open(order);
    expect(page.sessionId).toMatch(/^cs_test_/);
    expect(page.url).toMatch(/^https:\/\/checkout\.stripe\.com\//);
  });

  it("are refused with invalid parameters", async () => {
    const odd = { ...order, amountCents: "many" as unknown as number };
    await expect(processor().open(odd)).rejects.toThrow(CardPaymentsUnavailable);
    await expect(processor("none").open(order)).rejects.toThrow(CardPaymentsUnavailable);
  });

  it("find and end a page", async () => {
    const { sessionId } = await processor().open(order);
    expect(await processor().find(sessionId, new Date())).toMatchObject({ state: "open" });
    await expect(processor().end(sessionId)).resolves.toBeUndefined();
  });
});
