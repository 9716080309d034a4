import { describe, expect, it } from "vitest";
import { findViolations, resolveImport } from "./rules.ts";
import { readSourceFacts } from "./source-facts.ts";

const aliases = {
  "#contracts/*": "./contracts/src/*",
  "#event-store/*": "./packages/event-store/*",
  "#search/*": "./packages/search/*",
  "#read-model/*": "./packages/read-model/*",
  "#runtime/*": "./packages/runtime/*",
  "#http/*": "./packages/http/*",
  "#test-kit/*": "./packages/test-kit/*",
  "#services/*": "./services/*",
  "#launcher/*": "./launcher/*",
};

/** Returns the lint's messages about files, given by path and source. */
function messages(tree: Record<string, string>): string[] {
  const facts = new Map(
    Object.entries(tree).map(([file, source]) => [file, readSourceFacts(file, source)]),
  );
  return findViolations(facts, aliases).map(({ message }) => message);
}

describe("the rules of the architecture", () => {
  it.each([
    ["contracts/src/a.ts", 'import pg from "pg";', /contracts imports typebox only/],
    ["contracts/src/a.ts", 'import fs from "node:fs";', /contracts imports typebox only/],
    ["contracts/src/a.ts", 'import { x } from "#http/x.ts";', /contracts imports typebox only/],
    [
      "services/command-api/a.ts",
      'import { x } from "#services/query-api/x.ts";',
      /services never import each other/,
    ],
    [
      "services/mailer/deep/a.ts",
      'import type { X } from "../../projector/x.ts";',
      /services never import each other/,
    ],
    [
      "services/mailer/a.unit.test.ts",
      'export * from "../projector/x.ts";',
      /services never import each other/,
    ],
    ["services/mailer/a.ts", 'import "#launcher/start.ts";', /services know no launcher/],
    ["packages/search/a.ts", 'import "#services/mailer/a.ts";', /packages know no service/],
    ["packages/search/a.ts", 'import "#launcher/config.ts";', /packages know no service/],
    [
      "web-public/src/a.tsx",
      'import "#http/x.ts";',
      /web apps import contracts, theme and session-client only/,
    ],
    ["web-admin/src/a.tsx", 'import "../../web-public/x.ts";', /web apps import contracts/],
    ["web-admin/src/a.ts", 'import fs from "node:fs";', /imports no node: module/],
    ["web-admin/src/a.ts", 'import fastify from "fastify";', /imports no server library/],
    ["web-admin/src/reports/a.tsx", 'import "../layout/b.tsx";', /go one way/],
    ["web-admin/src/evidence/a.tsx", 'import "../bulk/b.tsx";', /go one way/],
    ["web-admin/src/inquiries/a.tsx", 'import "../audit/b.tsx";', /go one way/],
    ["web-public/src/components/a.tsx", 'import "../features/home/b.ts";', /go one way/],
    ["services/command-api/a.ts", 'import "#read-model/x.ts";', /reads no read model/],
    ["services/command-api/a.ts", 'import "#search/port.ts";', /no search index/],
    ["services/query-api/reports/a.ts", 'import "#event-store/port.ts";', /reads no event log/],
    ["services/query-api/a.routes.ts", 'import { sql } from "kysely";', /SQL is spoken in/],
    ["services/query-api/app.ts", 'import pg from "pg";', /SQL is spoken in/],
    ["packages/event-store/port.ts", 'import type { Pool } from "pg";', /SQL is spoken in/],
    ["services/mailer/a.ts", 'import x from "nodemailer";', /nodemailer may be imported in/],
    ["services/projector/a.ts", 'import { Queue } from "bullmq";', /bullmq and ioredis may be/],
    ["services/projector/a.ts", 'const x = await import("bullmq");', /bullmq and ioredis may be/],
    ["services/projector/a.ts", 'type T = import("bullmq").Queue;', /bullmq and ioredis may be/],
    ["services/projector/a.ts", "const x = process.env.PORT;", /process\.env is read in config/],
    ["launcher/start.ts", 'const x = process["env"];', /process\.env is read in config/],
    ["services/mailer/composition.ts", "new pg.Pool({});", /opened by openPool/],
    ["services/mailer/config.ts", "const x = process.env.PORT;", /variables are declared in/],
    ["web-admin/vite.config.ts", "const x = process.env;", /process\.env is read in config/],
    ["packages/read-model/a.ts", "new Pool();", /opened by openPool/],
    [
      "services/projector/daemon/a.ts",
      'const gone = type === "ReportDeleted";',
      /know no event of the domain/,
    ],
    [
      "services/projector/keyed/a.ts",
      'type T = Extract<Event, { type: "AccountAdded" }>;',
      /know no event of the domain/,
    ],
    [
      "services/projector/keyed/a.ts",
      'import type { ReportEdited } from "#contracts/events/report/report-edited.ts";',
      /know no event of the domain/,
    ],
    [
      "services/projector/daemon/a.ts",
      'import { STATUSES } from "#contracts/report/words.ts";',
      /know no event of the domain/,
    ],
    ["ops/a.ts", "new pg.Client(url);", /opened by openPool/],
    ["launcher/start.ts", 'import { env } from "node:process";', /process\.env is read in config/],
    ["services/command-api/a.decider.ts", "const x = Date.now();", /know no clock/],
    ["services/command-api/a.decider.ts", "const x = new Date();", /know no clock/],
    ["services/command-api/a-fold.ts", "const x = performance.now();", /know no clock/],
    ["services/command-api/a-fold.ts", "const x = Math.random();", /know no random/],
    ["services/command-api/a-fold.ts", "const x = crypto.randomUUID();", /know no random/],
    ["services/command-api/a.decider.ts", "const x = async () => 1;", /are synchronous/],
    ["services/command-api/a.decider.ts", 'import "node:crypto";', /import no node: module/],
    ["services/command-api/a.decider.ts", 'import "crypto";', /import no node: module/],
    ["services/command-api/a.decider.ts", 'import "#http/errors.ts";', /know no HTTP/],
  ])("forbid in %s: %s", (file, source, message) => {
    const found = messages({ [file]: source });
    expect(found.length).toBeGreaterThan(0);
    expect(found.join("\n")).toMatch(message);
  });

  it("check a decider's transitive imports", () => {
    expect(
      messages({
        "services/command-api/a.decider.ts": 'import { b } from "./b.ts";',
        "services/command-api/b.ts": 'import { c } from "#runtime/c.ts"; import "#http/d.ts";',
        "packages/runtime/c.ts": 'import fs from "node:fs";',
      }),
    ).toEqual([
      "deciders and folds know no HTTP (#http/d.ts through services/command-api/b.ts)",
      "deciders and folds import no node: module (node:fs through packages/runtime/c.ts)",
    ]);
  });

  it.each([
    ["contracts/src/a.ts", 'import { Type } from "typebox"; import "./b.ts";'],
    ["contracts/src/a.unit.test.ts", 'import { it } from "vitest";'],
    ["services/command-api/a.ts", 'import "#search/matching.ts"; import "./b.ts";'],
    ["services/query-api/history/a.ts", 'import "#event-store/port.ts";'],
    ["services/query-api/composition.ts", 'import "#event-store/postgres/adapter.ts";'],
    ["services/query-api/a.queries.ts", 'import { sql } from "kysely";'],
    ["services/mailer/composition.ts", 'import { Worker } from "bullmq";'],
    ["services/mailer/transports/smtp.ts", 'import x from "nodemailer";'],
    ["packages/runtime/db/pool.ts", "new pg.Pool({});"],
    ["services/mailer/a.int.test.ts", "new pg.Pool({});"],
    ["packages/search/opensearch/a.ts", "new Client({});"],
    ["services/projector/daemon/a.unit.test.ts", 'const type = "ReportDeleted";'],
    ["services/projector/projections/a.ts", 'const type = "ReportDeleted";'],
    ["services/projector/keyed/a.ts", 'import type { E } from "#contracts/events/index.ts";'],
    ["services/mailer/config.ts", 'export const { PORT } = readVariables("mailer", process.env);'],
    ["packages/test-kit/config.ts", "export const cache = process.env.NODE_COMPILE_CACHE;"],
    ["services/command-api/a.decider.ts", "export const f = (at: string) => new Date(at);"],
    ["packages/test-kit/a.ts", 'import "#local-servers/postgres/server.ts";'],
    ["web-public/server/a.ts", 'import fastify from "fastify"; import fs from "node:fs";'],
    ["launcher/start.ts", 'import "#services/mailer/composition.ts";'],
    ["web-admin/src/reports/a.tsx", 'import "../record/b.ts"; import "./c.ts";'],
    ["web-admin/src/inquiries/a.tsx", 'import "../shared/b.ts";'],
    ["web-admin/src/main.tsx", 'import "./app/a.tsx";'],
  ])("allow in %s: %s", (file, source) => {
    expect(messages({ [file]: source })).toEqual([]);
  });

  it("forbid circular imports of packages, including indirect ones", () => {
    const tree = {
      "packages/http/a.ts": 'import "#runtime/b.ts";',
      "packages/runtime/b.ts": 'import "../search/c.ts";',
      "packages/search/c.ts": 'import "#http/d.ts";',
      "packages/read-model/e.ts": 'import "#http/a.ts";',
    };
    expect(messages(tree)).toEqual([
      "packages/http and packages/runtime must not need each other (#runtime/b.ts)",
      "packages/runtime and packages/search must not need each other (../search/c.ts)",
      "packages/search and packages/http must not need each other (#http/d.ts)",
    ]);
    expect(messages({ ...tree, "packages/search/c.ts": 'import "./d.ts";' })).toEqual([]);
    const inTest = {
      "packages/http/a.unit.test.ts": 'import "#test-kit/b.ts";',
      "packages/test-kit/b.ts": 'import "#http/c.ts";',
    };
    expect(messages(inTest)).toEqual([]);
  });

  it("resolve the target of an import", () => {
    const from = "services/command-api/report/a.ts";
    expect(resolveImport(from, "../b.ts", aliases)).toEqual({
      kind: "file",
      path: "services/command-api/b.ts",
    });
    expect(resolveImport(from, "#http/errors.ts", aliases)).toEqual({
      kind: "file",
      path: "packages/http/errors.ts",
    });
    expect(resolveImport(from, "@fastify/jwt/x", aliases)).toEqual({
      kind: "package",
      name: "@fastify/jwt",
    });
    expect(resolveImport(from, "fs", aliases)).toEqual({ kind: "node", name: "fs" });
  });

  it("report the line", () => {
    const facts = new Map([
      ["contracts/src/a.ts", readSourceFacts("contracts/src/a.ts", '// one\n\nimport "pg";\n')],
    ]);
    expect(findViolations(facts, aliases)).toMatchObject([{ line: 3 }]);
  });
});
