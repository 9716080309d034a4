import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { submit } from "../testing/reports.fixture.ts";
import { named, pdf, picture, storedFiles, UPLOADS } from "../testing/uploads.fixture.ts";
import { SPEED_WINDOW_MS } from "./file-bodies.ts";

const fixture = forFile(() => startCommandApi({ trustProxyHops: 1 }));
let port: number;
const sockets: Socket[] = [];
beforeAll(async () => {
  await fixture.api.app.listen({ port: 0, host: "127.0.0.1" });
  port = (fixture.api.app.server.address() as AddressInfo).port;
});
beforeEach(() => {
  // Upload speed is measured with intervals; all other timers are real.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  vi.useRealTimers();
});

const ids = async (): Promise<string[]> =>
  (await fixture.db.query("select id from command.upload order by created_at")).rows.map(
    ({ id }) => id,
  );
/** What uploads have left: the number of rows and of stored files. */
const left = async () => [(await ids()).length, (await storedFiles(fixture)).length];

const newSecret = () => randomBytes(32).toString("base64url");

/** Starts to send a file, and sends part of it. */
async function begin(network: string, options: { bytes?: number; secret?: string } = {}) {
  const { bytes = 1_000_000, secret } = options;
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let reply = "";
  socket.on("data", (chunk) => {
    reply += chunk;
  });
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  const before = (await ids()).length;
  socket.write(
    `POST ${UPLOADS} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${network}\r\n` +
      (secret ? `${UPLOAD_SECRET}: ${secret}\r\n` : "") +
      `Content-Type: application/octet-stream\r\nContent-Length: ${bytes}\r\n\r\n%PDF-1.4`,
  );
  await expect.poll(async () => (await ids()).length).toBe(before + 1);
  return { socket, closed, reply: () => reply };
}

const send = (network: string, content: Buffer, secret?: string) =>
  fixture.api.app.inject({
    method: "POST",
    url: UPLOADS,
    headers: {
      "x-forwarded-for": network,
      "content-type": "application/octet-stream",
      ...(secret ? { [UPLOAD_SECRET]: secret } : {}),
    },
    payload: content,
  });

describe("a slow upload", () => {
  it("loses its place to someone else after ten seconds, and leaves nothing behind", async () => {
    const before = await left();
    const held = [];
    for (const network of ["a", "a", "a", "b", "b", "b", "c", "c"])
      held.push(await begin(`198.51.100.${network.charCodeAt(0)}`));
    const early = await send("203.0.113.7", pdf);
    expect(early.statusCode, early.body).toBe(503);
    expect(early.json().error).toMatchObject({ code: "unavailable" });
    vi.advanceTimersByTime(SPEED_WINDOW_MS);
    const other = await send("203.0.113.7", pdf);
    expect(other.statusCode, other.body).toBe(200);
    const first = await Promise.race(held.map((one) => one.closed.then(() => one)));
    expect(first.reply()).toMatch(/^HTTP\/1.1 503 [^{]*connection: close[^{]*\{"success":false/i);
    expect(first.reply()).toContain("arrived too slowly while others were waiting");
    expect(held.filter(({ reply }) => reply() !== "")).toHaveLength(1);
    for (const { socket } of held) socket.destroy();
    // Only the complete file is left.
    await expect.poll(left).toEqual(before.map((count) => count + 1));
  });

  it("leaves nothing behind if the connection breaks midway", async () => {
    const before = await left();
    const { socket } = await begin("203.0.113.8");
    const id = (await ids()).at(-1) ?? "";
    socket.destroy();
    await expect.poll(left).toEqual(before);
    const states = await fixture.api.keys.get([subjects.file(id)]);
    expect(states.get(subjects.file(id))?.state).not.toBe("present");
  });
});

describe("another attempt to upload a file, with the same secret", () => {
  it("ends a hung attempt, so that it takes no second place", async () => {
    const secret = newSecret();
    const before = await left();
    const hanging = [await begin("203.0.113.9", { secret })];
    for (let n = 0; n < 2; n += 1) hanging.push(await begin("203.0.113.9"));
    const again = await send("203.0.113.9", pdf, secret);
    expect(again.statusCode, again.body).toBe(200);
    await hanging[0]?.closed;
    expect(hanging[0]?.reply()).toContain("503");
    expect(hanging.slice(1).map(({ reply }) => reply())).toEqual(["", ""]);
    for (const { socket } of hanging) socket.destroy();
    await expect.poll(left).toEqual(before.map((count) => count + 1));
  });

  it("replaces a file whose reply was lost", async () => {
    const secret = newSecret();
    const before = await left();
    const lost = await send("203.0.113.10", await picture(), secret);
    const again = await send("203.0.113.10", await picture(), secret);
    expect(again.json().data.secret).toBe(secret);
    expect(again.json().data.id).not.toBe(lost.json().data.id);
    expect(await left()).toEqual(before.map((count) => count + 1));
    const key = subjects.file(lost.json().data.id);
    expect(await fixture.keyState(key)).toBe("destroyed");
    const evidence = [named(again.json().data)];
    await submit(fixture, { ...chargeback, evidence });
  });

  it("doesn't remove the file from a report that names it", async () => {
    const secret = newSecret();
    const file = (await send("203.0.113.11", pdf, secret)).json().data;
    const id = await submit(fixture, { ...chargeback, evidence: [named(file)] });
    expect((await send("203.0.113.11", pdf, secret)).statusCode).toBe(200);
    const { rows } = await fixture.db.query("select id from command.upload where report_id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ id: file.id }]);
    const key = subjects.file(file.id);
    expect(await fixture.keyState(key)).toBe("present");
  });

  it("is refused with a guessable secret", async () => {
    const before = await left();
    for (const secret of ["short", "a".repeat(44), `${"a".repeat(42)}!`]) {
      const answer = await send("203.0.113.12", pdf, secret);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.code).toBe("invalid_request");
    }
    expect(await left()).toEqual(before);
  });
});
