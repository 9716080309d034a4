import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { masterKeysOf } from "#vault/keys/master-ring.ts";
import { ConfigInvalid, loadConfig } from "./load-config.ts";
import { checkRateLimit, originsOf, processAddressesOf } from "./read-variables.ts";
import { chooseByScheme, schemeOf } from "./value-problems.ts";
import { variables } from "./variables.ts";

const schema = Type.Object({
  DATABASE_URL: Type.String({ pattern: "^postgres://" }),
  PORT: Type.Integer({ minimum: 1, maximum: 65535, default: 3000 }),
  HOST: Type.String({ default: "127.0.0.1" }),
  DEBUG: Type.Boolean({ default: false }),
  RATE_LIMIT: Type.Optional(Type.Enum(["on", "off"])),
  MASTER_KEY: Type.Optional(Type.String({ minLength: 43 })),
});
const DATABASE_URL = "postgres://u:p@db/x";

describe("loadConfig", () => {
  it("converts text to types, fills in defaults and ignores unknown variables", () => {
    const env = { DATABASE_URL, PORT: "8080", DEBUG: "true", HOST: " ", PATH: "/bin" };
    expect(loadConfig(schema, env)).toEqual({
      DATABASE_URL,
      PORT: 8080,
      DEBUG: true,
      HOST: "127.0.0.1",
    });
  });

  it("lists everything that is missing or wrong in one message, without the values", () => {
    const env = { PORT: "99999", DEBUG: "yes", RATE_LIMIT: "maybe", MASTER_KEY: "hunter2" };
    const load = () => loadConfig(schema, env);
    expect(load).toThrow(ConfigInvalid);
    expect(load).toThrow(/DATABASE_URL is missing/);
    for (const name of ["PORT", "DEBUG", "RATE_LIMIT", "MASTER_KEY"])
      expect(load).toThrow(new RegExp(`- ${name} must`));
    expect(load).not.toThrow(/hunter2|99999|maybe/);
  });
});

describe("URLs", () => {
  it("select an adapter by scheme", () => {
    const choices = { postgres: () => "pg", esdb: () => "es" };
    expect(chooseByScheme("EVENT_STORE_URL", "postgresql://u:p@db/x", choices)).toBe("pg");
    expect(chooseByScheme("EVENT_STORE_URL", "ESDB://db", choices)).toBe("es");
    for (const url of ["mysql://u:hunter2@db", "hunter2", "toString://x", ""]) {
      const choose = () => chooseByScheme("EVENT_STORE_URL", url, choices);
      expect(choose).toThrow(/EVENT_STORE_URL must be a URL that starts with postgres: or esdb:/);
      expect(choose).not.toThrow(/hunter2/);
    }
  });

  it("have no scheme if none is written", () => {
    expect(schemeOf("no url")).toBeUndefined();
  });
});

describe("the variables of processes", () => {
  it.each([
    ["DATABASE_URL", "postgresql://u@db/x", "mysql://db"],
    ["EVENT_STORE_URL", "esdb://db:2113?tls=false", "http://db"],
    ["EVENT_STORE_URL", "esdb+discover://db:2113", "esdbxdiscover://db"],
    ["SEARCH_URL", "HTTPS://search", "redis://search"],
    ["JOBS_URL", "redis://jobs:6379", "http://jobs"],
    ["RATE_LIMIT_URL", "rediss://r", "postgres://r"],
    ["SMTP_URL", "file:///mails", "/mails"],
    ["FILES_URL", "file:///files", "/files"],
    ["FILES_URL", "s3://key:secret@host/bucket", "https://host/bucket"],
    ["PUBLIC_URL", "https://registry.example/", "https://registry.example/path"],
    ["QUERY_API_URL", "http://a:1, http://b:2", "http://a:1 and http://b:2"],
    ["TRUST_PROXY", "2", "all"],
    ["RATE_LIMIT", "off", "sometimes"],
    ["ADMIN_EMAIL", "a@b.example", "nobody"],
    ["ADMIN_PASSWORD", "just long enough", "long enough"],
  ] as const)("have a clear message about what %s must be", (name, right, wrong) => {
    const one = Type.Object({ [name]: variables[name].schema });
    expect(() => loadConfig(one, { [name]: right })).not.toThrow();
    expect(() => loadConfig(one, { [name]: wrong })).toThrow(
      new RegExp(`- ${name} must (be|have) `),
    );
  });

  it.each([
    ["DATABASE_URL", "postgres://u:p%25er@db:5432/x?sslmode=disable"],
    ["DATABASE_URL", "postgres://u:p@ss@[::1]:5432/x"],
    ["DATABASE_URL", "postgres://u:p@/x?host=/var/run/postgresql"],
    ["DATABASE_URL", "postgres://%2Fvar%2Frun%2Fpostgresql/x"],
    ["EVENT_STORE_URL", "esdb://u:p@a:2113,b:2113?tls=false"],
    ["SEARCH_URL", "https://u:p%2F@search:9200/?index=a-b"],
    ["JOBS_URL", "redis://:p@[::1]/2"],
    ["SMTP_URL", "FILE:///var/mails"],
    ["SMTP_URL", "file:/var/mails"],
    ["SMTP_URL", "SMTPS://u%40x:p@mail:465"],
    ["SMTP_URL", "smtp://mail:25?requireTLS=false"],
    ["PUBLIC_URL", "HTTPS://Registry.example:8443/"],
    ["SUPPORT_EMAIL", "help@registry.example"],
    ["PRODUCT_NAME", 'Säumige "& Co"'],
    ["CORS_ORIGINS", "https://a.example http://b.example:81/"],
  ] as const)("accept every valid spelling of %s: %s", (name, value) => {
    const one = Type.Object({ [name]: variables[name].schema });
    expect(loadConfig(one, { [name]: value })).toEqual({ [name]: value });
  });

  const urls = [
    ["DATABASE_URL", "postgres:"],
    ["EVENT_STORE_URL", "postgres:"],
    ["KEYS_URL", "postgres:"],
    ["SEARCH_URL", "http:"],
    ["JOBS_URL", "rediss:"],
    ["RATE_LIMIT_URL", "redis:"],
    ["SMTP_URL", "smtp:"],
    ["EVENT_STORE_URL", "esdb:"],
  ] as const;
  const senseless = [
    ["//hunter2:hunter2@db:99999", /port/],
    ["//hunter2:hunter2@db:0", /port/],
    ["//hunter2:hunter2@db:80ms", /port/],
    ["//hunter2:hunter2%er@db", /percent sign .* %25/],
    ["//hunter2:hunter2%ff@db", /percent sign .* %25/],
    ["//hunter2:hunter2@d b", /without blanks/],
    ["//hunter2:hunter2/x@db", /password/],
    ["//hunter2:hunter2@", /host/],
    ["///hunter2", /host/],
    ["//", /host/],
    ["hunter2", /host/],
  ] as const;
  it.each(
    urls.flatMap(([name, scheme]) =>
      senseless.map(([rest, word]) => [name, scheme + rest, word] as const),
    ),
  )("explain what %s must be instead of %s, without repeating it", (name, value, word) => {
    expectProblem(name, value, word);
  });

  it.each([
    ["DATABASE_URL", "postgres://u@db/hunter2?port=99999", /port/],
    ["DATABASE_URL", "postgres://u@db/x?sslrootcert=/hunter2", /sslrootcert is a file/],
    ["JOBS_URL", "rediss://r?tlsCAFile=/hunter2", /tlsCAFile is a file/],
    ["SEARCH_URL", "https://u@s?tlsCAFile=/hunter2", /tlsCAFile is a file/],
    ["JOBS_URL", "redis://r?tlsCAFile=/hunter2", /starts with rediss: or https: if/],
    ["SEARCH_URL", "http://u@s?tlsCAFile=/hunter2", /starts with rediss: or https: if/],
    ["EVENT_STORE_URL", "esdb://a:2113,b:99999", /port/],
    ["EVENT_STORE_URL", "esdb://a:2113,", /host/],
    ["JOBS_URL", "redis://jobs/hunter2", /number of a database/],
    ["SMTP_URL", "smtp://mail?requireTLS=hunter2", /requireTLS/],
    ["SMTP_URL", "FILE:///", /folder's whole path/],
    ["SMTP_URL", "file:", /folder's whole path/],
    ["SMTP_URL", "file:hunter2", /folder's whole path/],
    ["SMTP_URL", "file://hunter2/x", /folder's whole path/],
    ["SMTP_URL", "file:///hunter2%2Fx", /folder's whole path/],
    ["SMTP_URL", "file:///hunter2%er", /folder's whole path/],
    ["PUBLIC_URL", "http://a:99999", /web address/],
    ["PUBLIC_URL", "http://a:0", /web address/],
    ["PUBLIC_URL", "http://[hunter2", /web address/],
    ["PUBLIC_URL", "https://.", /web address/],
    ["PUBLIC_URL", "https://u:hunter2@a", /web address/],
    ["QUERY_API_URL", "http://a:1,http://b:99999", /addresses/],
    ["COMMAND_API_URL", "https://a?tlsCAFile=/hunter2", /tlsCAFile is a file that can be read/],
    ["COMMAND_API_URL", "http://a?tlsCAFile=/hunter2", /starts with rediss: or https: if/],
    ["COMMAND_API_URL", "https://a?hunter2=1", /addresses/],
    ["COMMAND_API_URL", ",", /addresses/],
    ["CORS_ORIGINS", "*", /web addresses/],
    ["CORS_ORIGINS", "hunter2", /web addresses/],
    ["CORS_ORIGINS", "https://a.example/hunter2", /web addresses/],
    ["CORS_ORIGINS", "https://a.example, http://b:99999", /web addresses/],
    ["CORS_ORIGINS", ",", /web addresses/],
    ["SUPPORT_EMAIL", "hunter2", /email address/],
    ["SUPPORT_EMAIL", "a@b.example>, <hunter2@c.example", /email address/],
    ["PRODUCT_NAME", "hunter2\nBcc: x", /one line/],
    ["PRODUCT_NAME", "hunter2".repeat(15), /one line/],
    ["TRUST_PROXY", "1 hop", /number of proxies/],
    ["TRUST_PROXY", "00", /number of proxies/],
    ["TRUST_PROXY", "1e0", /number of proxies/],
  ] as const)("reject %s of %s", (name, value, word) => {
    expectProblem(name, value, word);
  });

  function expectProblem(name: keyof typeof variables, value: string, word: RegExp): void {
    const load = () =>
      loadConfig(Type.Object({ [name]: variables[name].schema }), { [name]: value });
    expect(load).toThrow(new RegExp(`\n  - ${name} must be [^\n]+$`));
    expect(load).toThrow(word);
    expect(load).not.toThrow(/hunter2/);
  }

  it("share one password among the database users whose URL has none", () => {
    const { DATABASE_URL, KEYS_URL, EVENT_STORE_URL, JOBS_URL, DATABASE_PASSWORD } = variables;
    const urls = {
      DATABASE_URL: DATABASE_URL.schema,
      KEYS_URL: KEYS_URL.schema,
      EVENT_STORE_URL: EVENT_STORE_URL.schema,
      JOBS_URL: JOBS_URL.schema,
    };
    const given = {
      DATABASE_URL: "postgres://owner@db/x?sslmode=disable",
      KEYS_URL: "postgresql://own%40er:other@keys/x",
      EVENT_STORE_URL: "esdb://log:2113",
      JOBS_URL: "postgres://db/x",
    };
    const schema = Type.Object({ ...urls, DATABASE_PASSWORD: DATABASE_PASSWORD.schema });
    expect(loadConfig(schema, { ...given, DATABASE_PASSWORD: "p@ss/" })).toMatchObject({
      ...given,
      DATABASE_URL: "postgres://owner:p%40ss%2F@db/x?sslmode=disable",
    });
    expect(loadConfig(Type.Object(urls), given)).toEqual(given);
  });
  it("allow unlimited requests only on loopback", () => {
    for (const HOST of ["127.0.0.1", "localhost", "::1"])
      expect(() => checkRateLimit({ RATE_LIMIT: "off", HOST })).not.toThrow();
    expect(() => checkRateLimit({ RATE_LIMIT: "off", HOST: "0.0.0.0" })).toThrow(
      /HOST is 0\.0\.0\.0/,
    );
    expect(() => checkRateLimit({ RATE_LIMIT: "on", HOST: "0.0.0.0" })).not.toThrow();
  });

  it("parse master keys, the current one first", () => {
    const [first, second] = ["ab".repeat(32), "cd".repeat(32)];
    expect(masterKeysOf({ MASTER_KEY: `${second},${first}` })).toEqual([
      Buffer.from(second, "hex"),
      Buffer.from(first, "hex"),
    ]);
    expect(() => masterKeysOf({ MASTER_KEY: "," })).toThrow(/MASTER_KEY is not valid/);
    expect(() => masterKeysOf({ MASTER_KEY: "hunter2" })).toThrow(/^(?!.*hunter2).*MASTER_KEY is/s);
  });

  it("parse lists of addresses", () => {
    const written = "http://a:1/, http://b HTTPS://C.example:443";
    expect(originsOf(written)).toEqual(["http://a:1", "http://b", "https://c.example"]);
    expect(processAddressesOf("https://A:1/?tlsCAFile=/Ca http://b")).toEqual([
      "https://a:1?tlsCAFile=/Ca",
      "http://b",
    ]);
  });
});
