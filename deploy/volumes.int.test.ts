import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeComposeSecrets } from "./secret-files.ts";
import { read, serviceOf, services } from "./testing/compose.ts";

/** Places in the containers, with the services that name them in their environment or a secret. */
async function placesByService(): Promise<Map<string, string[]>> {
  const secrets = await mkdtemp(path.join(os.tmpdir(), "registry-volumes-"));
  try {
    await makeComposeSecrets(secrets);
    const places = new Map<string, string[]>();
    for (const [name, { environment = {}, secrets: given = [] }] of services) {
      const inFiles = given.map((secret) => readFile(path.join(secrets, secret), "utf8"));
      const named = [...Object.values(environment), ...(await Promise.all(inFiles))]
        .filter((value) => value.startsWith("file:"))
        .map((value) => fileURLToPath(value.trim()));
      if (named.length > 0) places.set(name, named);
    }
    return places;
  } finally {
    await rm(secrets, { recursive: true });
  }
}

const mountsOf = (name: string) =>
  (serviceOf(name).volumes ?? []).map((volume) => volume.split(":") as [string, string]);

describe("the volumes of docker-compose.yml", () => {
  it("are mounted by the services that have a place in them, and by no other one", async () => {
    const places = await placesByService();
    expect([...places.keys()].toSorted()).toEqual([
      "backup",
      "command-api",
      "operate",
      "projector",
      "query-api",
    ]);
    for (const [name, named] of places) {
      const mounts = mountsOf(name).map(([, target]) => target);
      const folders = named.map((place) =>
        place.endsWith("/ledger") ? path.dirname(place) : place,
      );
      expect(mounts.toSorted(), name).toEqual(folders.toSorted());
    }
    for (const [name, { build }] of services)
      if (build && !places.has(name)) expect(mountsOf(name), name).toEqual([]);
  });

  it("are one ledger of erasures for all that destroy keys, apart from all stores", () => {
    const users = ["backup", "command-api", "projector", "operate"];
    const ledger = serviceOf("operate").environment?.ERASURES_URL;
    for (const name of users) expect(serviceOf(name).environment?.ERASURES_URL, name).toBe(ledger);
    const mounting = services.flatMap(([name]) =>
      mountsOf(name).some(([volume]) => volume === "erasures") ? [name] : [],
    );
    expect(mounting.toSorted()).toEqual(users.toSorted());
  });

  it("are the same place in each container that mounts them, and belong to the image's user", async () => {
    const [folders = ""] =
      /^RUN install -d -m 700 -o node -g node \\\n.*$/m.exec(await read("Dockerfile")) ?? [];
    const targets = new Map<string, string>();
    for (const [name, { build, image }] of services)
      if (build || image === serviceOf("migrate").image)
        for (const [volume, target] of mountsOf(name)) {
          expect(targets.get(volume) ?? target).toBe(target);
          targets.set(volume, target);
        }
    expect(targets.size).toBeGreaterThan(0);
    expect(
      folders
        .split(/\s+/)
        .filter((word) => word.startsWith("/"))
        .toSorted(),
    ).toEqual([...targets.values()].toSorted());
  });
});
