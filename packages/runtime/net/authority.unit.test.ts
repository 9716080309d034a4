import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { withAuthority } from "./client-address.ts";

it("extracts the CA file from a URL and leaves the rest unchanged", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-authority-"));
  const file = path.join(folder, "authority");
  await writeFile(file, "-----BEGIN CERTIFICATE-----");
  expect(withAuthority(`https://u:p%2F@search:9200/?index=a&tlsCAFile=${file}`)).toEqual({
    url: "https://u:p%2F@search:9200/?index=a",
    tls: { ca: Buffer.from("-----BEGIN CERTIFICATE-----") },
  });
  await rm(folder, { recursive: true });
  expect(withAuthority("rediss://u:p@redis:6379/2")).toEqual({ url: "rediss://u:p@redis:6379/2" });
  const lost = () => withAuthority(`rediss://u:hunter2@redis?tlsCAFile=${file}`);
  expect(lost).toThrow(/tlsCAFile that cannot be read/);
  expect(lost).not.toThrow(/hunter2/);
});
