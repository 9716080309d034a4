import { readFileSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { dataPaths } from "#launcher/data-folder.ts";
import { postgresAccount } from "#local-servers/postgres/account.ts";
import { initialiseCluster } from "#local-servers/postgres/cluster.ts";
import { preparePrograms } from "#local-servers/postgres/programs.ts";
import { startServer } from "#local-servers/postgres/server.ts";
import type { Story } from "../fixtures/commit-831dbbc/story.ts";
import type { PublicAnswers } from "./public-answers.ts";

const folder = path.resolve(import.meta.dirname, "../fixtures/commit-831dbbc");
const file = (name: string) => path.join(folder, name);

/** What the registry behind the fixture answered, and what is in it. */
export interface StoredRegistry extends Story {
  readonly commit: string;
  /** The `PUBLIC_URL` with which the pages are the same. */
  readonly publicUrl: string;
  readonly answers: PublicAnswers;
}

/** The registry of an earlier version; see e2e/fixtures/commit-831dbbc/README.md. */
export const storedRegistry: StoredRegistry = JSON.parse(
  readFileSync(file("expected.json"), "utf8"),
);

/** The master key under which its personal data is sealed: `MASTER_KEY` of its processes. */
export const storedMasterKey = Buffer.from(
  readFileSync(file("data-folder/master-key"), "utf8"),
  "base64",
);

/** The slugs for which {@link storedRegistry} has replies. */
export const storedSlugs: readonly string[] = Object.keys(storedRegistry.answers.pages).flatMap(
  (at) => (at.startsWith("/report/") ? [at.slice("/report/".length)] : []),
);

/**
 * The replies under the rule that only what was public leaves a trace: 410 for 30 days after the
 * deletion or the change of name, then as if it had never existed.
 */
export function answersWithoutTraces(now: Date): PublicAnswers {
  const { answers, goneBecause } = storedRegistry;
  const api = { ...answers.api };
  const pages = { ...answers.pages };
  for (const [slug, { why, at }] of Object.entries(goneBecause)) {
    const days = (now.getTime() - Date.parse(at)) / (24 * 3_600_000);
    if (why === "was_public" && days < 30) continue;
    Object.assign(api, { [`reports/${slug}`]: api["reports/nobody-ever"] });
    Object.assign(pages, { [`/report/${slug}`]: pages["/report/nobody-ever"] });
  }
  return { api, pages };
}

/**
 * Loads the stored schemas and rows into an empty database. Sessions that nobody ended are valid
 * for 14 days again.
 * @param url of a superuser.
 */
export async function restoreDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of ["schema.sql", "schema-jobs.sql"])
      await client.query(await readFile(file(name), "utf8"));
    await client.query("set session_replication_role = replica");
    await loadRows(client, await readFile(file("rows.sql"), "utf8"));
    await client.query(
      "update command.refresh_token set expires_at = now() + interval '14 days' where used_at is null",
    );
  } finally {
    await client.end();
  }
}

/** Loads `COPY ... FROM stdin;` up to `\.`, and runs the statements in between. */
async function loadRows(client: pg.Client, text: string): Promise<void> {
  const parts = text.matchAll(/^(COPY .*) FROM stdin;\n([\s\S]*?)^\\\.$|^SELECT .*;$/gm);
  for (const [statement, copy, rows] of parts) {
    if (copy) await pipeline([rows], client.query(from(`${copy} from stdin`)));
    else await client.query(statement);
  }
}

/** Creates the data folder that `npm start` of the earlier version left behind. */
export async function restoreDataFolder(dataDir: string): Promise<void> {
  await cp(file("data-folder"), dataDir, { recursive: true });
  const { cluster, databasePassword, postgresLog: logFile } = dataPaths(dataDir);
  const password = (await readFile(databasePassword, "utf8")).trim();
  const programs = await preparePrograms(await postgresAccount());
  await initialiseCluster(programs, cluster, { password, durable: false });
  const server = await startServer(programs, cluster, { password, durable: false, logFile });
  try {
    const client = new pg.Client({ connectionString: server.url() });
    await client.connect();
    await client.query("create database registry");
    await client.end();
    await restoreDatabase(server.url("registry"));
  } finally {
    await server.stop();
  }
}
