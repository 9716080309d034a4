import { createPrivateKey, X509Certificate } from "node:crypto";
import { chown, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import https from "node:https";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openPool } from "#runtime/db/pool.ts";
import { explainFailure } from "#runtime/lifecycle/explain-failure.ts";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import { startOwnServer } from "#test-kit/own-server.ts";
import { makeComposeSecrets } from "./secret-files.ts";
import { makeSettledSecrets, read, serviceOf, services } from "./testing/compose.ts";

let folder: string;
let secrets: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-certificates-"));
  secrets = path.join(folder, "secrets");
  await makeSettledSecrets(secrets);
});
afterAll(() => rm(folder, { recursive: true }));

const secret = (name: string, from = secrets) => readFile(path.join(from, name), "utf8");
const certificateOf = async (name: string, from = secrets) =>
  new X509Certificate(await secret(`${name}_certificate`, from));

/** The servers with a certificate, by file prefix. */
const SERVERS = {
  postgres: ["postgres"],
  postgres_keys: ["postgres-keys"],
  redis: ["redis"],
  opensearch: ["opensearch"],
  eventstoredb: ["eventstoredb", "eventstoredb-2", "eventstoredb-3"],
};

describe("the certificates of docker-compose.yml", () => {
  it.each(Object.entries(SERVERS))(
    "are signed by the authority for %s and its names, and no others",
    async (name, hosts) => {
      const authority = new X509Certificate(await secret("certificate_authority"));
      const certificate = await certificateOf(name);
      expect(certificate.checkIssued(authority)).toBe(true);
      expect(certificate.verify(authority.publicKey)).toBe(true);
      expect([authority.ca, certificate.ca]).toEqual([true, false]);
      const valid = ["localhost", ...Object.values(SERVERS).flat()].filter((host) =>
        certificate.checkHost(host, { subject: "never" }),
      );
      expect(valid.toSorted()).toEqual(["localhost", ...hosts].toSorted());
      const days = (certificate.validToDate.getTime() - Date.now()) / 86_400_000;
      expect(Math.round(days)).toBe(730);
      const key = `${name}_key`;
      expect(certificate.checkPrivateKey(await privateKey(key))).toBe(true);
    },
  );

  it("include no private key of the authority", async () => {
    const authority = new X509Certificate(await secret("certificate_authority"));
    const made = await makeComposeSecrets(path.join(folder, "keys"));
    for (const name of made.filter((each) => each.endsWith("_key") && each !== "master_key"))
      expect(authority.checkPrivateKey(await privateKey(name)), name).toBe(false);
  });

  it("are required by every store address of the services", async () => {
    const addresses = new Map<string, string>();
    for (const [name, { environment = {}, secrets: given = [] }] of services) {
      for (const [variable, value] of Object.entries(environment))
        addresses.set(`${name} ${variable}`, value);
      for (const file of given) addresses.set(file, (await secret(file)).trim());
    }
    const stores = [...addresses].filter(([, value]) =>
      /^[a-z+]+:\/\/\S*\b(postgres|postgres-keys|redis|opensearch|eventstoredb)(-\d)?:\d+/.test(
        value,
      ),
    );
    expect(stores.length).toBeGreaterThan(12);
    for (const [where, value] of stores) {
      const url = new URL(value);
      expect(url.protocol, where).toMatch(/^(postgres|rediss|https|esdb):$/);
      // `migrate` and `operate` have addresses without a user, which nothing connects to.
      if (!url.username) expect(url.search, where).toBe("");
      else
        expect(`${url.searchParams.get("sslmode")} ${url.search}`, where).toMatch(
          /^(verify-full .*sslrootcert|null .*tlsCAFile)=\S+\/certificate_authority$/,
        );
      expect(url.searchParams.get("tls") ?? "true", where).toBe("true");
    }
  });

  it("are recreated on request, with the previous authority trusted until the next time", async () => {
    const renewed = path.join(folder, "renewed");
    await makeComposeSecrets(renewed);
    const first = await secret("certificate_authority", renewed);
    const password = await secret("database_url", renewed);
    expect(await makeComposeSecrets(renewed)).toEqual([]);
    const names = await makeComposeSecrets(renewed, { renewCertificates: true });
    expect(names.every((name) => /^certificate_authority$|_(certificate|key)$/.test(name))).toBe(
      true,
    );
    expect(await secret("database_url", renewed)).toBe(password);
    const second = await secret("certificate_authority", renewed);
    expect(second.endsWith(first)).toBe(true);
    const signed = await certificateOf("redis", renewed);
    expect(signed.verify(new X509Certificate(second).publicKey)).toBe(true);
    await makeComposeSecrets(renewed, { renewCertificates: true });
    const third = await secret("certificate_authority", renewed);
    expect(third.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(third).not.toContain(first.trim());
    // A lost key cannot be recreated for its certificate.
    await rm(path.join(renewed, "redis_key"));
    const whole = await makeComposeSecrets(renewed);
    expect(whole).toHaveLength(names.length);
    expect(whole).toContain("postgres_certificate");
  });

  it("leave an operator's own address unchanged", async () => {
    const elsewhere = path.join(folder, "elsewhere");
    await makeComposeSecrets(elsewhere);
    const url = "redis://jobs:secret@redis.example:6379";
    await writeFile(path.join(elsewhere, "jobs_url"), url);
    await makeComposeSecrets(elsewhere);
    expect(await secret("jobs_url", elsewhere)).toBe(url);
  });

  async function privateKey(name: string, from = secrets) {
    return createPrivateKey(await secret(name, from));
  }
});

describe("services", () => {
  it("connect to PostgreSQL only with TLS, and only to the server they name", {
    timeout: 60_000,
  }, async () => {
    const server = await startOwnServer();
    onTestFinished(() => server.dispose());
    await settle(server.url);
    const port = new URL(server.url).port;
    const { username, password } = new URL(server.url);
    const strangers = path.join(folder, "strangers");
    await makeSettledSecrets(strangers);
    const verified = (host: string, authorities = secrets) =>
      `postgres://${username}:${password}@${host}:${port}/postgres?sslmode=verify-full&sslrootcert=${authorities}/certificate_authority`;
    const ask = async (url: string) => {
      const pool = openPool({ url, name: "certificates", max: 1 });
      onTestFinished(() => pool.end());
      const { rows } = await pool.query(
        "select ssl, version from pg_stat_ssl where pid = pg_backend_pid()",
      );
      return rows;
    };
    expect(await ask(verified("localhost"))).toEqual([{ ssl: true, version: "TLSv1.3" }]);
    const otherName = await ask(verified("127.0.0.1")).catch((error: unknown) => error);
    expect(explainFailure(otherName)).toMatch(/isn't trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
    const stranger = await ask(verified("localhost", strangers)).catch((error: unknown) => error);
    expect(explainFailure(stranger)).toMatch(/^A store's certificate isn't trusted \(/);
    // The server's own rules reject any client without TLS.
    await expect(ask(server.url)).rejects.toThrow(/pg_hba\.conf/);
  });

  it("connect to OpenSearch only if its certificate has the right name and authority", async () => {
    const [key, cert] = [await secret("opensearch_key"), await secret("opensearch_certificate")];
    const asked: (string | undefined)[] = [];
    const paths: string[] = [];
    const server = https.createServer({ key, cert }, (request, response) => {
      asked.push(request.headers.authorization);
      paths.push(decodeURIComponent(request.url ?? ""));
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const given = new URL(await secret("query_api_search_url"));
    given.port = String((server.address() as { port: number }).port);
    given.hostname = "localhost";
    const expected = Buffer.from(`query_api:${given.password}`).toString("base64");
    const live = (url: string) => new OpenSearchIndex(url).indexes.live();
    await live(given.href).catch(() => undefined);
    expect(asked).toEqual([`Basic ${expected}`]);
    // The engine's users may access only these indexes.
    expect(paths).toEqual(["/registry-search--*/_alias/registry-search"]);
    const unsaid = new URL(given);
    unsaid.search = "";
    const elsewhere = new URL(given);
    elsewhere.hostname = "127.0.0.1";
    for (const url of [unsaid, elsewhere])
      await expect(live(url.href)).rejects.toThrow(/unreachable/);
    expect(asked).toHaveLength(1);
  });
});

/** Gives a server the certificate and client rules that docker-compose.yml gives it. */
async function settle(url: string): Promise<void> {
  expect(serviceOf("postgres").environment).toMatchObject({
    CERTIFICATE_FILE: "/run/secrets/postgres_certificate",
    KEY_FILE: "/run/secrets/postgres_key",
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const set = (name: string, value: string) =>
    client.query(`alter system set ${name} = ${client.escapeLiteral(value)}`);
  const { rows } = await client.query(
    "select current_setting('hba_file') as list, pg_backend_pid() as pid",
  );
  // Its data folder may be known to it relative to its own process.
  const list: string = rows[0].list.replace("/proc/self/", `/proc/${rows[0].pid}/`);
  // The server may run as another user.
  const { uid, gid } = await stat(list);
  for (const name of ["postgres_certificate", "postgres_key"]) {
    const file = path.join(path.dirname(list), name);
    await writeFile(file, await secret(name), { mode: 0o600 });
    await chown(file, uid, gid);
  }
  await set("ssl_cert_file", "postgres_certificate");
  await set("ssl_key_file", "postgres_key");
  await set("ssl", "on");
  await writeFile(list, await read("deploy/stores/pg_hba.conf"));
  await client.query("select pg_reload_conf()");
  await client.end();
}
