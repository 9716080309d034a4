import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFileTransport } from "./file.transport.ts";
import type { MailTransport } from "./transport.ts";

const REPORT = randomUUID();
const OTHER = randomUUID();

let folder: string;
let transport: MailTransport;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mails-"));
  transport = createFileTransport(folder, "support@registry.example");
});
afterEach(async () => {
  await transport.close();
  await rm(folder, { recursive: true });
});

const send = (id: string, ownerId: string) =>
  transport.send({ id, ownerId, to: "a@b.example", subject: "s", text: "t", html: "<p>t</p>" });

async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

/** Writes a file that a killed mailer left unfinished. */
async function leave(name: string, minutesAgo: number): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "a mail with a link");
  const at = Date.now() / 1000 - minutesAgo * 60;
  await utimes(path, at, at);
}

it("keeps one file per email, however often it is sent, and nothing else", async () => {
  await send("mail-1", REPORT);
  await send("mail-1", REPORT);
  await send("mail-2", REPORT);
  expect(await files()).toEqual([`${REPORT}.mail-1.eml`, `${REPORT}.mail-2.eml`]);
});

it("adds the one-click unsubscribe header only to emails that can be turned off", async () => {
  const unsubscribeUrl = `https://registry.example/prod/api/unsubscribe/${"x".repeat(96)}`;
  const mail = { to: "a@b.example", subject: "s", text: "t", html: "<p>t</p>" };
  await transport.send({ id: "mail-1", ownerId: REPORT, ...mail, unsubscribeUrl });
  await transport.send({ id: "mail-2", ownerId: REPORT, ...mail });
  const [first, second] = await Promise.all(
    [1, 2].map((n) => readFile(join(folder, REPORT, `${REPORT}.mail-${n}.eml`), "utf8")),
  );
  const unfolded = `\r\n${first}`.replaceAll(/\r\n[ \t]+/g, " ");
  expect(unfolded).toContain(`\r\nList-Unsubscribe: <${unsubscribeUrl}>\r\n`);
  expect(unfolded).toContain("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
  expect(second).not.toMatch(/unsubscribe/i);
});

it("removes a report's emails, including those a killed mailer began, and no others", async () => {
  await send("mail-1", REPORT);
  await send("mail-2", OTHER);
  await leave(`.unfinished/${REPORT}.${randomUUID()}.tmp`, 0);
  await leave(`.unfinished/${OTHER}.1.tmp`, 0);
  await transport.forget(REPORT);
  expect(await files()).toEqual([`${OTHER}.1.tmp`, `${OTHER}.mail-2.eml`]);
  await transport.forget(randomUUID());
});

it("removes emails written from a revision or an earlier one, and keeps later ones", async () => {
  const mail = { ownerId: REPORT, to: "a@b.example", subject: "s", text: "t", html: "<p>t</p>" };
  for (const revision of [0, 1, 2])
    await transport.send({ ...mail, id: `from-${revision}`, revision });
  await transport.send({ ...mail, id: "of-none", text: "X-Report-Revision: 9" });
  await leave(`.unfinished/${REPORT}.1.tmp`, 0);
  await transport.forget(REPORT, 1);
  expect(await files()).toEqual([`${REPORT}.from-2.eml`]);
  await transport.forget(REPORT);
  expect(await files()).toEqual([]);
});

it("sweeps what a killed mailer began, but not what another may be writing", async () => {
  await leave(`.unfinished/${REPORT}.1.tmp`, 11);
  await leave(`.unfinished/${OTHER}.2.tmp`, 1);
  await leave("somebody-elses.tmp", 11);
  await transport.sweep();
  expect(await files()).toEqual([`${OTHER}.2.tmp`, "somebody-elses.tmp"]);
});

it("has nothing to remove or sweep in a missing folder", async () => {
  const nowhere = createFileTransport(join(folder, "none"), "support@registry.example");
  await nowhere.forget(REPORT);
  await nowhere.sweep();
  await nowhere.close();
});
