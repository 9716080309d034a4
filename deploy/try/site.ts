import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Upload } from "#contracts/http/evidence.ts";

const SITE = "http://127.0.0.1:3000";
/** Time limit for a wait on a busy machine, in milliseconds. */
const WAIT_MS = 60_000;

/** @returns the status and content of a reply. */
export async function ask(method: string, path: string, body?: object, headers = {}) {
  const reply = await fetch(SITE + path, {
    method,
    headers: { ...(body ? { "content-type": "application/json" } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const said = await reply.text();
  const isJson = reply.headers.get("content-type")?.includes("json");
  return { status: reply.status, data: isJson ? JSON.parse(said).data : said };
}

/** Uploads a file as a visitor's browser does. @returns what a report refers to it by. */
export async function upload(name: string, content: Uint8Array<ArrayBuffer>) {
  const headers = { "content-type": "application/octet-stream" };
  const reply = await fetch(`${SITE}/prod/api/uploads`, { method: "POST", headers, body: content });
  assert.equal(reply.status, 200, `${name} is taken`);
  const { id, secret } = (await reply.json()).data as Upload;
  return { id, secret, name };
}

/** Opens a report's file as staff do. */
export async function download(path: string, headers: Record<string, string>): Promise<Buffer> {
  const json = { "content-type": "application/json", ...headers };
  const reply = await fetch(SITE + path, { method: "POST", headers: json, body: "{}" });
  assert.equal(reply.status, 200, `${path} is opened`);
  return Buffer.from(await reply.arrayBuffer());
}

/** Polls until there is a result, as emails and read models lag behind commands. */
export async function eventually<T>(
  what: string,
  found: () => Promise<T | undefined>,
  waitMs = WAIT_MS,
): Promise<T> {
  for (const end = Date.now() + waitMs; Date.now() < end; await delay(500)) {
    const value = await found();
    if (value !== undefined) return value;
  }
  throw new Error(`${what}: not within ${waitMs} ms`);
}

/** Signs in the admin, whose password is in the file. @returns the authorization header. */
export async function signIn(file: string): Promise<{ authorization: string }> {
  const email = "admin@registry.example";
  const password = (await readFile(file, "utf8")).trim();
  const login = await ask("POST", "/prod/api/auth/login", { email, password });
  assert.equal(login.status, 200, "the admin signs in");
  return { authorization: `Bearer ${login.data.token}` };
}
