import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readBuildStamp, writeBuildStamp } from "#operations/build-stamp.ts";
import { scanBuild } from "./build.ts";

const STAMP = { version: "1.2.3", built_at: "2026-11-23T10:00:00.000Z" };

async function folder(): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), "registry-stamp-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

it("adds the package registry's advisories to the build's stamp", async () => {
  const root = await folder();
  await writeBuildStamp(STAMP, root);
  const said: string[] = [];
  const faulty = async () => [{ name: "left", severity: "high" as const }];
  await scanBuild((line) => said.push(line), faulty, root);
  expect(await readBuildStamp(root)).toEqual({
    ...STAMP,
    scan: { packages: expect.any(Number), faulty: [{ name: "left", severity: "high" }] },
  });
  expect(said).toEqual(["left has a known vulnerability (high)"]);
});

it("leaves the stamp unchanged if the registry does not answer", async () => {
  const root = await folder();
  await writeBuildStamp(STAMP, root);
  await scanBuild(
    () => undefined,
    () => Promise.reject(new Error("away")),
    root,
  );
  expect(await readBuildStamp(root)).toEqual(STAMP);
});

it("ignores a file that is not a stamp", async () => {
  const root = await folder();
  expect(await readBuildStamp(root)).toBeUndefined();
  await writeBuildStamp(STAMP, root);
  await writeFile(path.join(root, "dist", "build-stamp.json"), '{"version":1}');
  expect(await readBuildStamp(root)).toBeUndefined();
});
