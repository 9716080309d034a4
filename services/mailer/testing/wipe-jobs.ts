import pg from "pg";

/** Ways to lose the jobs in the queue's PostgreSQL tables. */
export const jobWipes = {
  "all tables emptied": `do $$
    declare tables text;
    begin
      select string_agg(format('jobs.%I', tablename), ', ') into tables
        from pg_tables where schemaname = 'jobs' and tablename not like '%migration%';
      execute 'truncate ' || tables || ' cascade';
    end $$`,
  "its schema removed": "drop schema jobs cascade",
} as const;

const DEADLOCK = "40P01";

/** Wipes the jobs while workers run, and retries after a deadlock with them. */
export async function wipeJobs(url: string, how: keyof typeof jobWipes): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let left = 50; ; left -= 1) {
      try {
        await client.query(jobWipes[how]);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== DEADLOCK || left === 0) throw error;
      }
    }
  } finally {
    await client.end();
  }
}
