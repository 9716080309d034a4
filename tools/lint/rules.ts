import { isBuiltin } from "node:module";
import path from "node:path";
import type { SourceFacts, Use } from "./source-facts.ts";

/** The target of an import. */
export type Target =
  | { kind: "file"; path: string }
  | { kind: "package"; name: string }
  | { kind: "node"; name: string };

export type Violation = { file: string; line: number; message: string };

type ImportRule = {
  /** Whether the rule applies to the file. Paths are relative to the root, with forward slashes. */
  binds(file: string): boolean;
  forbids(target: Target, file: string): boolean;
  message: string;
};

/** Tests, and their fixtures in folders called `testing`. */
const test = /\.(unit|int|e2e|resilience)\.test\.tsx?$|\.fixture\.ts$|\/testing\//;
const isTest = (file: string) => test.test(file);
const within = (file: string, ...folders: string[]) =>
  folders.some((folder) => file === folder || file.startsWith(`${folder}/`));
const toFile = (target: Target, ...folders: string[]) =>
  target.kind === "file" && within(target.path, ...folders);
const serviceOf = (file: string) => /^services\/([^/]+)\//.exec(file)?.[1];
const isComposition = (file: string) => /(^|\/)composition\.ts$/.test(file);

/** Folders that start, run, measure and check the services. */
const AROUND = ["launcher", "ops", "bench", "deploy", "tools"];

/** Code that would work equally well for any other event log. */
const isOfAnyDomain = (file: string) =>
  within(file, "services/projector/daemon", "services/projector/keyed") && !isTest(file);
const OF_ANY_DOMAIN = "the projector's daemon and keyed rows know no event of the domain";

/** A vendor package is used only in its adapter. The composition opens the connections. */
const vendorHomes: { packages: string[]; homes: string[] }[] = [
  { packages: ["@eventstore/db-client"], homes: ["packages/event-store/eventstoredb"] },
  { packages: ["@opensearch-project/opensearch"], homes: ["packages/search/opensearch"] },
  {
    packages: ["bullmq", "ioredis"],
    homes: ["packages/runtime/redis", "services/mailer/jobs", "packages/http/counters/redis"],
  },
  { packages: ["liquidjs"], homes: ["packages/mail-templates"] },
  { packages: ["nodemailer"], homes: ["services/mailer/transports", "bench/parts"] },
  { packages: ["postal-mime"], homes: ["launcher/outbox", "packages/test-kit"] },
  {
    packages: [
      "@node-rs/argon2",
      "@zxcvbn-ts/core",
      "@zxcvbn-ts/language-common",
      "@zxcvbn-ts/language-en",
    ],
    homes: ["services/command-api/account"],
  },
  {
    packages: ["double-metaphone", "any-ascii"],
    homes: ["packages/search", "services/command-api/address", "web-public/server/found"],
  },
  { packages: ["obscenity"], homes: ["web-admin"] },
  { packages: ["fontkitten"], homes: ["web-public/server/found"] },
  { packages: ["bowser"], homes: ["packages/runtime/net", "services/query-api"] },
  { packages: ["canonicalize"], homes: ["packages/event-store", "packages/vault"] },
  { packages: ["@aws-sdk/client-s3"], homes: ["packages/files/s3", "ops/backup"] },
];

const importRules: ImportRule[] = [
  {
    binds: (file) => within(file, "contracts") && !isTest(file),
    forbids: (target) =>
      !toFile(target, "contracts") && !(target.kind === "package" && target.name === "typebox"),
    message: "contracts imports typebox only",
  },
  {
    binds: (file) => serviceOf(file) !== undefined,
    forbids: (target, file) =>
      toFile(target, "services") &&
      target.kind === "file" &&
      serviceOf(target.path) !== serviceOf(file),
    message: "services never import each other",
  },
  {
    binds: (file) => within(file, "packages"),
    forbids: (target) => toFile(target, "services", "web-public", "web-admin", "e2e", ...AROUND),
    message: "packages know no service, no web app and no launcher",
  },
  {
    binds: (file) => within(file, "services"),
    forbids: (target, file) =>
      toFile(target, "e2e", ...AROUND) ||
      (toFile(target, "web-public", "web-admin") &&
        !(within(file, "services/web") && toFile(target, "web-public/server", "web-admin/server"))),
    message: "services know no launcher and no web app (services/web: the apps' servers)",
  },
  {
    binds: (file) => within(file, "web-public", "web-admin") && !isTest(file),
    forbids: (target, file) =>
      target.kind === "file" &&
      !within(
        target.path,
        file.split("/")[0] as string,
        "contracts",
        "packages/theme",
        "packages/session-client",
      ),
    message: "web apps import contracts, theme and session-client only",
  },
  {
    binds: (file) =>
      within(file, "web-admin", "web-public") &&
      !isTest(file) &&
      !within(file, "web-public/server", "web-admin/server") &&
      !/\/vite\.config\.ts$/.test(file),
    forbids: (target) => target.kind === "node",
    message: "what runs in a browser imports no node: module",
  },
  {
    binds: (file) => within(file, "services/command-api") && !isTest(file),
    forbids: (target) =>
      toFile(target, "packages/read-model") ||
      (toFile(target, "packages/search") && !toFile(target, "packages/search/matching.ts")),
    message: "command-api reads no read model and no search index",
  },
  {
    binds: (file) => isOfAnyDomain(file),
    forbids: (target) =>
      target.kind === "file" &&
      /^contracts\/src\/(?!events\/index\.ts$|(omit-undefined|sealed)\.ts$)/.test(target.path),
    message: OF_ANY_DOMAIN,
  },
  {
    binds: (file) =>
      within(file, "services/query-api") &&
      !within(file, "services/query-api/history") &&
      !isComposition(file) &&
      !isTest(file),
    forbids: (target) => toFile(target, "packages/event-store"),
    message: "query-api reads no event log except for the audit replay (history/)",
  },
  {
    binds: (file) =>
      /(\.(routes|presenter|decider)|-fold)\.ts$|(^|\/)(app|main)\.ts$/.test(file) ||
      (within(file, "packages/event-store", "packages/search") &&
        !within(file, "packages/event-store/postgres", "packages/search/postgres") &&
        !isTest(file)),
    forbids: (target) => target.kind === "package" && ["pg", "kysely"].includes(target.name),
    message: "SQL is spoken in adapters, stores, queries and projections only",
  },
  {
    binds: (file) =>
      within(file, "web-public", "web-admin") &&
      !within(file, "web-public/server", "web-admin/server") &&
      !isTest(file),
    forbids: (target) =>
      target.kind === "package" &&
      /^(fastify|@fastify\/.*|pg|kysely|bullmq|pino)$/.test(target.name),
    message: "what runs in a browser imports no server library",
  },
  ...vendorHomes.map(
    ({ packages, homes }): ImportRule => ({
      binds: (file) => !within(file, ...homes) && !isComposition(file) && !isTest(file),
      forbids: (target) => target.kind === "package" && packages.includes(target.name),
      message: `${packages.join(" and ")} may be imported in ${homes.join(", ")} and compositions only`,
    }),
  ),
];

/** The folders of each web app. One may import from itself and earlier rows; `*` is any folder not listed. */
const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "web-admin/src": [
    ["config", "data"],
    ["shared"],
    ["session", "commands"],
    ["record"],
    ["bulk", "decision", "evidence", "matches", "resolutions"],
    ["reports"],
    ["*"],
    ["layout"],
    ["app"],
  ],
  "web-public/src": [
    ["api", "config", "lib"],
    ["components"],
    ["session"],
    ["features"],
    ["layout"],
  ],
};

/** The folder and row of a file in a web app; undefined for other files. */
function layerOf(file: string, app: string): { folder: string; row: number } | undefined {
  const inside = within(file, app) ? path.posix.dirname(file).slice(app.length + 1) : "";
  const rows = layers[app] ?? [];
  const named = rows.flat().find((folder) => within(inside, folder));
  const row = rows.findIndex((folders) => folders.includes(named ?? "*"));
  return inside === "" || row < 0 ? undefined : { folder: named ?? inside, row };
}

for (const [app, rows] of Object.entries(layers)) {
  importRules.push({
    binds: (file) => within(file, app) && !isTest(file),
    forbids: (target, file) => {
      const from = layerOf(file, app);
      const to = target.kind === "file" ? layerOf(target.path, app) : undefined;
      return (
        from !== undefined && to !== undefined && from.folder !== to.folder && to.row >= from.row
      );
    },
    message: `imports in ${app} go one way: ${rows.map((row) => row.join(", ")).join(" < ")}`,
  });
}

/** In any other file, connections would have no limits and their errors no handler. */
const mayConnect = (file: string) =>
  within(file, "packages/runtime/db", "packages/test-kit", "e2e") || isTest(file);

const isPure = (file: string) => /(\.decider|-fold)\.ts$/.test(file);
const mayReadEnvironment = (file: string) => /(^|\/)config\.ts$/.test(file);

/** Which files may use what. Uses without an entry are forbidden only in deciders and folds. */
const mayUse: Partial<Record<Use, (file: string) => boolean>> = {
  environment: mayReadEnvironment,
  connection: mayConnect,
  event: (file) => !isOfAnyDomain(file),
  variable: () => false,
};

const useMessages: Record<Use, string> = {
  environment: "process.env is read in config.ts only",
  clock: "deciders and folds know no clock: time arrives in the command",
  random: "deciders and folds know no random: ids arrive in the command",
  asynchrony: "deciders and folds are synchronous",
  connection:
    "connections to PostgreSQL are opened by openPool and createClient (#runtime/db/pool.ts)",
  event: OF_ANY_DOMAIN,
  variable: "variables are declared in #runtime/config/variables.ts, and read by readVariables",
};

/** Finds every violation of the architecture rules. */
export function findViolations(
  facts: ReadonlyMap<string, SourceFacts>,
  aliases: Record<string, string>,
): Violation[] {
  const violations: Violation[] = [];
  for (const [file, { imports, uses }] of facts) {
    for (const { specifier, line } of imports) {
      const target = resolveImport(file, specifier, aliases);
      for (const rule of importRules)
        if (rule.binds(file) && rule.forbids(target, file))
          violations.push({ file, line, message: `${rule.message} (${specifier})` });
    }
    for (const { what, line } of uses)
      if (!(mayUse[what]?.(file) ?? !isPure(file)))
        violations.push({ file, line, message: useMessages[what] });
    if (isPure(file)) violations.push(...impurities(file, facts, aliases));
  }
  return [...violations, ...circles(facts, aliases)];
}

/** Finds Node and HTTP modules that a decider or fold uses, directly or through its imports. */
function impurities(
  start: string,
  facts: ReadonlyMap<string, SourceFacts>,
  aliases: Record<string, string>,
): Violation[] {
  const violations: Violation[] = [];
  const seen = new Set([start]);
  const queue = [{ file: start, line: 1 }];
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const { specifier, line } of facts.get(next.file)?.imports ?? []) {
      const at = next.file === start ? line : next.line;
      const target = resolveImport(next.file, specifier, aliases);
      const isHttp = toFile(target, "packages/http");
      if (target.kind === "node" || isHttp) {
        const through = next.file === start ? "" : ` through ${next.file}`;
        const what = isHttp ? "know no HTTP" : "import no node: module";
        violations.push({
          file: start,
          line: at,
          message: `deciders and folds ${what} (${specifier}${through})`,
        });
      } else if (target.kind === "file" && !seen.has(target.path)) {
        seen.add(target.path);
        queue.push({ file: target.path, line: at });
      }
    }
  }
  return violations;
}

/** The unit a file belongs to: a package, a service, or a root folder. */
function unitOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  return ["packages", "services"].includes(first) ? `${first}/${second}` : first;
}

/** Finds circular dependencies of units, direct or indirect: every import that closes a cycle. */
function circles(
  facts: ReadonlyMap<string, SourceFacts>,
  aliases: Record<string, string>,
): Violation[] {
  const imports = [...facts].flatMap(([file, { imports }]) =>
    isTest(file) ? [] : imports.map(({ specifier, line }) => ({ file, line, specifier })),
  );
  const edges = imports.flatMap((found) => {
    const target = resolveImport(found.file, found.specifier, aliases);
    const [from, to] = [unitOf(found.file), target.kind === "file" ? unitOf(target.path) : ""];
    return to === "" || from === to ? [] : [{ ...found, from, to }];
  });
  const known = Map.groupBy(edges, ({ from }) => from);
  const reaches = (from: string, wanted: string, seen = new Set([from])): boolean =>
    (known.get(from) ?? []).some(({ to }) => {
      if (to === wanted) return true;
      if (seen.has(to)) return false;
      seen.add(to);
      return reaches(to, wanted, seen);
    });
  return edges
    .filter(({ from, to }) => reaches(to, from))
    .map(({ file, line, specifier, from, to }) => ({
      file,
      line,
      message: `${from} and ${to} must not need each other (${specifier})`,
    }));
}

/** Follows relative paths and the `#` aliases in package.json; returns packages without their subpath. */
export function resolveImport(
  file: string,
  specifier: string,
  aliases: Record<string, string>,
): Target {
  if (specifier.startsWith("node:")) return { kind: "node", name: specifier };
  if (specifier.startsWith("."))
    return { kind: "file", path: path.posix.join(path.posix.dirname(file), specifier) };
  for (const [alias, folder] of Object.entries(aliases)) {
    const prefix = alias.replace(/\*$/, "");
    if (specifier.startsWith(prefix))
      return {
        kind: "file",
        path: path.posix.normalize(folder.replace("*", specifier.slice(prefix.length))),
      };
  }
  if (isBuiltin(specifier)) return { kind: "node", name: specifier };
  const [scope = "", name = ""] = specifier.split("/");
  return { kind: "package", name: scope.startsWith("@") ? `${scope}/${name}` : scope };
}
