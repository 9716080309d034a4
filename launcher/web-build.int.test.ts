import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildWebApps, hashSources, type WebApp } from "./web-build.ts";

const app: WebApp = {
  name: "site",
  folder: "web-public",
  builds: [
    { out: "client", args: [] },
    { out: "server", args: ["--ssr", "entry.ts"] },
  ],
};
let root: string;
let lines: string[];

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "registry-web-"));
  lines = [];
  for (const folder of ["web-public", "contracts/src", "packages/theme", "packages/session-client"])
    await mkdir(path.join(root, folder), { recursive: true });
  for (const [file, content] of [
    ["package.json", '{ "type": "module" }'],
    ["package-lock.json", "{}"],
    ["tsconfig.json", "{}"],
    ["contracts/src/words.ts", 'export const word = "first";'],
    ["web-public/vite.config.ts", "export default { root: import.meta.dirname };"],
    ["web-public/index.html", '<script type="module" src="/entry.ts"></script>'],
    [
      "web-public/entry.ts",
      'import { word } from "../contracts/src/words.ts"; globalThis.said = word;',
    ],
  ] as const)
    await writeFile(path.join(root, file), content);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const build = () => buildWebApps((line) => lines.push(line), { root, apps: [app] });
const serverEntry = () => readFile(path.join(root, "web-public/dist/server/entry.js"), "utf8");

describe("the build of a web app", () => {
  it("runs the first time, and then only when a source or a contract changes", async () => {
    await build();
    expect(await readdir(path.join(root, "web-public/dist/client"))).toContain("index.html");
    expect(await serverEntry()).toContain("first");
    expect(lines).toEqual(["building the site", expect.stringMatching(/^built the site in/)]);
    lines = [];
    await build();
    expect(lines).toEqual([]);
    await writeFile(path.join(root, "contracts/src/words.ts"), 'export const word = "second";');
    await build();
    expect(lines[0]).toBe("building the site, whose sources changed");
    expect(await serverEntry()).toContain("second");
    expect(await readdir(path.join(root, "web-public"))).not.toContainEqual(
      expect.stringMatching(/^\.dist-/),
    );
  });

  it("keeps the last good build when it fails, and says why", async () => {
    await build();
    await writeFile(path.join(root, "web-public/entry.ts"), "this is no program");
    await expect(build()).rejects.toThrow(/The site could not be built \(1\)\.\n.*entry\.ts/s);
    expect(await serverEntry()).toContain("first");
    expect(await readdir(path.join(root, "web-public"))).not.toContainEqual(
      expect.stringMatching(/^\.dist-/),
    );
  });

  it("removes what a killed build left", async () => {
    const dead = spawn("true");
    await once(dead, "exit");
    const torn = `.dist-${dead.pid}`;
    await mkdir(path.join(root, "web-public", torn));
    await build();
    expect(await readdir(path.join(root, "web-public"))).not.toContain(torn);
  });

  it("depends on no test and no output", async () => {
    const before = await hashSources(root, app);
    await writeFile(path.join(root, "web-public/entry.unit.test.ts"), "");
    await mkdir(path.join(root, "web-public/dist"));
    await writeFile(path.join(root, "web-public/dist/x.js"), "");
    expect(await hashSources(root, app)).toBe(before);
    await writeFile(path.join(root, "package-lock.json"), '{ "x": 1 }');
    expect(await hashSources(root, app)).not.toBe(before);
  });

  it("is aborted when the start is stopped", async () => {
    const stop = new AbortController();
    const building = buildWebApps(() => stop.abort(), { root, apps: [app], signal: stop.signal });
    await expect(building).rejects.toThrow(/abort/i);
    expect(await readdir(path.join(root, "web-public"))).not.toContain("dist");
  });
});
