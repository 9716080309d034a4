import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outboxRoutes } from "./outbox.routes.ts";

let folder: string;
let app: FastifyInstance;
const local = { remoteAddress: "127.0.0.1", headers: { host: "127.0.0.1:3000" } };

async function writeMail(file: string, at: number, subject: string, text: string): Promise<void> {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { message } = await transport.sendMail({
    from: "registry@example.com",
    to: "dana@example.net",
    subject,
    text,
  });
  const ofReport = path.join(folder, path.parse(file).name);
  await mkdir(ofReport);
  await writeFile(path.join(ofReport, file), message as Buffer);
  await utimes(path.join(ofReport, file), at, at);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-outbox-"));
  await writeMail("one.eml", 1_000, "First – naïve 😀", "Nothing here.");
  await writeMail(
    "two.eml",
    2_000,
    "Please confirm",
    `Follow http://127.0.0.1:3000/verify-email/${"t".repeat(120)} within 48 hours.`,
  );
  await writeFile(path.join(folder, "half.eml.tmp"), "not a mail");
  app = Fastify();
  await app.register(outboxRoutes, { folder, productName: "Chargeback Registry" });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

describe("/outbox", () => {
  it("lists only complete emails, newest first", async () => {
    const { body, statusCode } = await app.inject({ ...local, url: "/outbox" });
    expect(statusCode).toBe(200);
    const links = [...body.matchAll(/href="\/outbox\/([^"]+)">([^<]+)/g)].map((m) => m.slice(1));
    expect(links).toEqual([
      ["two.eml", "Please confirm"],
      ["one.eml", "First – naïve 😀"],
    ]);
  });

  it("links back to the site and to the console", async () => {
    for (const url of ["/outbox", "/outbox/two.eml", "/outbox/none.eml"]) {
      const { body } = await app.inject({ ...local, url });
      expect(body).toContain('<a href="/">Chargeback Registry</a>');
      expect(body).toContain('<a href="/admin">Console</a>');
    }
  });

  it("shows an email's link unbroken, however the file wraps it", async () => {
    const { body, headers } = await app.inject({ ...local, url: "/outbox/two.eml" });
    const token = "t".repeat(120);
    expect(body).toContain(`<a href="http://127.0.0.1:3000/verify-email/${token}"`);
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'/);
    expect(headers["content-security-policy"]).not.toMatch(/script-src/);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["referrer-policy"]).toBe("no-referrer");
  });

  it.each(["three.eml", "half.eml.tmp", "..%2Fsecret.eml", "%2Fetc%2Fpasswd", "..%5Cx.eml"])(
    "has nothing at /outbox/%s",
    async (file) => {
      expect((await app.inject({ ...local, url: `/outbox/${file}` })).statusCode).toBe(404);
    },
  );

  it.each([
    { remoteAddress: "10.0.0.9", headers: { host: "127.0.0.1:3000" } },
    { remoteAddress: "127.0.0.1", headers: { host: "evil.example:3000" } },
    { remoteAddress: "127.0.0.1", headers: { host: "127.0.0.1", "x-forwarded-for": "8.8.8.8" } },
  ])("shows nothing to %o", async (from) => {
    for (const url of ["/outbox", "/outbox/two.eml", "/outbox/none.eml"]) {
      const { statusCode, body } = await app.inject({ ...from, url });
      expect(statusCode).toBe(403);
      expect(body).not.toContain("dana@example.net");
    }
  });
});
