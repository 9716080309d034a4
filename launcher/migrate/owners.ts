import type pg from "pg";

/** Statements that give a schema, then everything in it, to the role `$2`. */
const STATEMENTS = `
  with target as (
    select oid, nspname, nspowner from pg_namespace where nspname = any($1)
  ), wanted as (select oid from pg_roles where rolname = $2)
  select 1 as step, format('alter schema %I owner to %I', nspname, $2) as statement
  from target, wanted where nspowner <> wanted.oid
  union all
  select 2, format('alter %s %I.%I owner to %I',
    case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' else 'table' end, t.nspname, c.relname, $2)
  from pg_class c join target t on t.oid = c.relnamespace, wanted
  where c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner <> wanted.oid
    -- A column's own sequence goes with its table.
    and not exists (select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))
  union all
  select 3, format('alter routine %s owner to %I', p.oid::regprocedure, $2)
  from pg_proc p join target t on t.oid = p.pronamespace, wanted where p.proowner <> wanted.oid
  union all
  select 4, format('alter type %I.%I owner to %I', t.nspname, y.typname, $2)
  from pg_type y join target t on t.oid = y.typnamespace, wanted
  where y.typowner <> wanted.oid and y.typtype in ('e', 'd')
  order by step`;

/** Gives schemas to a role, including those that an unfinished rebuild left behind. */
export async function giveSchemas(
  client: pg.ClientBase,
  schemas: readonly string[],
  role: string,
): Promise<void> {
  const names = schemas.flatMap((schema) => [schema, `${schema}_next`, `${schema}_old`]);
  const { rows } = await client.query<{ statement: string }>(STATEMENTS, [names, role]);
  for (const { statement } of rows) await client.query(statement);
}
