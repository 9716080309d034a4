import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Type } from "typebox";
import { afterAll, describe, expect, it } from "vitest";
import { masterKeysOf } from "#vault/keys/master-ring.ts";
import { loadConfig } from "./load-config.ts";
import { variables } from "./variables.ts";

const DATABASE_URL = "postgres://u:p@db/x";

describe("secrets in files", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "registry-secrets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    const where = path.join(folder, name);
    writeFileSync(where, text);
    return where;
  };
  const secretSchema = Type.Object({
    DATABASE_URL: variables.DATABASE_URL.schema,
    ADMIN_PASSWORD: Type.Optional(variables.ADMIN_PASSWORD.schema),
    HOST: variables.HOST.schema,
  });

  it("are read like the variable itself", () => {
    const env = { DATABASE_URL_FILE: file("url", `${DATABASE_URL}\n`), HOST: "::1" };
    expect(loadConfig(secretSchema, env)).toEqual({ DATABASE_URL, HOST: "::1" });
  });

  it("are named if unreadable, along with every other problem", () => {
    const env = {
      DATABASE_URL_FILE: path.join(folder, "missing"),
      ADMIN_PASSWORD: "hunter2 hunter2",
      ADMIN_PASSWORD_FILE: file("password", "other hunter2"),
      HOST_FILE: file("host", "no secret"),
    };
    const load = () => loadConfig(secretSchema, env);
    expect(load).toThrow(/- DATABASE_URL_FILE names a file that cannot be read \(ENOENT\)/);
    expect(load).toThrow(/- ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set/);
    expect(load).not.toThrow(/hunter2/);
    const empty = { DATABASE_URL_FILE: file("empty", "\n") };
    expect(() => loadConfig(secretSchema, empty)).toThrow(/DATABASE_URL_FILE names a file that is/);
  });

  it("may hold master keys, which are reread after a rotation", async () => {
    const [first, second] = ["ab".repeat(32), "cd".repeat(32)];
    const keys = masterKeysOf({ MASTER_KEY_FILE: file("key", first) });
    if (typeof keys !== "function") throw new Error("read once and for all");
    expect(await keys()).toEqual([Buffer.from(first, "hex")]);
    file("key", `${second}\n${first}\n`);
    expect(await keys()).toEqual([Buffer.from(second, "hex"), Buffer.from(first, "hex")]);
  });
});
