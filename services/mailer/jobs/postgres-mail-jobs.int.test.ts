import pg from "pg";
import { startOwnServer } from "#test-kit/own-server.ts";
import { mailJobsContract } from "./contract-suite.ts";
import { openPostgresMailJobs } from "./postgres-mail-jobs.ts";

mailJobsContract(
  "postgres",
  openPostgresMailJobs,
  async () => {
    const server = await startOwnServer();
    const run = async (sql: string) => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(sql).finally(() => client.end());
    };
    return {
      ...server,
      wipes: {
        "all tables emptied": () =>
          run(`do $$
            declare tables text;
            begin
              select string_agg(format('jobs.%I', tablename), ', ') into tables
                from pg_tables where schemaname = 'jobs' and tablename not like '%migration%';
              execute 'truncate ' || tables || ' cascade';
            end $$`),
        "its schema removed": () => run("drop schema jobs cascade"),
      },
    };
  },
  ["all tables emptied", "its schema removed"],
);
