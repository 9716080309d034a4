/**
 * DDL that creates the extension for finding parts of words, if it is missing. Run it before
 * creating tables that need it, in the same transaction. Concurrent callers wait for each other.
 */
export const CREATE_TRIGRAMS = `
  do $$ begin
    if not exists (select from pg_extension where extname = 'pg_trgm') then
      perform pg_advisory_xact_lock(hashtextextended('install:pg_trgm', 0));
      create extension if not exists pg_trgm schema public;
    end if;
  end $$;`;
