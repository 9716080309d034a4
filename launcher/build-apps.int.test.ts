import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type App, buildApps, readSources } from "./build-apps.ts";
import { stateOf } from "./programs.js";

const app: App = {
  name: "site",
  folder: "web-public",
  sources: ["contracts/src"],
  builds: [
    { out: "client", args: [], brotli: 11 },
    { out: "server", args: ["--ssr", "entry.ts"] },
  ],
};
let root: string;
let lines: string[];

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "registry-web-"));
  lines = [];
  for (const folder of ["web-public", "contracts/src"])
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

const build = (isQuick = false) =>
  buildApps((line) => lines.push(line), { root, apps: [app], isQuick });
const serverEntry = () => readFile(path.join(root, "web-public/dist/server/entry.js"), "utf8");

describe("the build of a web app", () => {
  it("runs the first time, and then only if a source or contract changes", async () => {
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

  it("records new times of unchanged sources", async () => {
    await build();
    await utimes(path.join(root, "web-public/entry.ts"), 0, 0);
    lines = [];
    await build();
    expect(lines).toEqual([]);
    const noted = JSON.parse(
      await readFile(path.join(root, "web-public/dist/.sources.json"), "utf8"),
    );
    expect(noted).toMatchObject(await readSources(root, app));
  });

  it("compresses quickly for a start, and thoroughly afterward", async () => {
    const client = path.join(root, "web-public/dist/client");
    const size = async () => (await stat(path.join(client, "words.txt.br"))).size;
    await mkdir(path.join(root, "web-public/public"));
    const words = Array.from({ length: 4000 }, (_, at) => `${at * at} words`).join("\n");
    await writeFile(path.join(root, "web-public/public/words.txt"), words);
    await build(true);
    const quick = await size();
    await build(true);
    expect(await size()).toBe(quick);
    await build();
    expect(await size()).toBeLessThan(0.95 * quick);
    const packed = await readFile(path.join(client, "words.txt.br"));
    expect(brotliDecompressSync(packed).toString()).toBe(words);
  });

  it("keeps the last good build if it fails, and explains why", async () => {
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
    const { hash } = await readSources(root, app);
    await writeFile(path.join(root, "web-public/entry.unit.test.ts"), "");
    await mkdir(path.join(root, "web-public/dist"));
    await writeFile(path.join(root, "web-public/dist/x.js"), "");
    expect(await readSources(root, app)).toHaveProperty("hash", hash);
    await writeFile(path.join(root, "package-lock.json"), '{ "x": 1 }');
    expect(await readSources(root, app)).not.toHaveProperty("hash", hash);
  });

  it("is aborted if the start is stopped", async () => {
    const stop = new AbortController();
    const building = buildApps(() => stop.abort(), { root, apps: [app], signal: stop.signal });
    await expect(building).rejects.toThrow(/abort/i);
    expect(await readdir(path.join(root, "web-public"))).not.toContain("dist");
  });
});

describe("a program", () => {
  const at = (file: string) => path.join(root, file);
  const run = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [at("launcher/run.js"), "web"]);
    return stdout.trim();
  };

  beforeEach(async () => {
    for (const folder of ["launcher", "launcher/dist", "services/web"])
      await mkdir(at(folder), { recursive: true });
    for (const file of ["run.js", "programs.js"])
      await copyFile(path.join(import.meta.dirname, file), at(`launcher/${file}`));
    await writeFile(at("services/web/main.ts"), 'console.log("sources");');
    await writeFile(at("launcher/dist/web.js"), 'console.log("built");');
    const file = "services/web/main.ts";
    const files = { [file]: stateOf(at(file)) };
    await writeFile(at("launcher/dist/.sources.json"), JSON.stringify({ hash: "", files }));
  });

  it("runs as built until a source changes", async () => {
    expect(await run()).toBe("built");
    await utimes(at("services/web/main.ts"), 0, 0);
    expect(await run()).toBe("sources");
  });

  it("runs from its sources if one is missing or nothing was built", async () => {
    await writeFile(at("launcher/dist/.sources.json"), '{"files":{"contracts/src/gone.ts":"1 1"}}');
    expect(await run()).toBe("sources");
    await rm(at("launcher/dist"), { recursive: true });
    expect(await run()).toBe("sources");
  });
});
