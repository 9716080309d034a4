import type pg from "pg";
import { SERVICE_NAMES, SERVICE_ROLES } from "#runtime/db/service-roles.ts";

/**
 * Lists all rights of the services' roles in a database, one per line, from the server's catalog: rights
 * to the database, schemas, tables, columns and functions, and default rights to future objects. Omits
 * owners' rights to their own objects.
 */
export async function describeRights(client: pg.Client): Promise<string[]> {
  const roles = SERVICE_NAMES.map((name) => SERVICE_ROLES[name]);
  const { rows } = await client.query<{ line: string }>(
    `with acl as (
       select 'database' as what, datdba as owner, datacl as acl from pg_database
         where datname = current_database()
       union all select 'schema ' || nspname, nspowner, nspacl from pg_namespace
       union all select 'table ' || oid::regclass, relowner, relacl from pg_class
       union all select 'column ' || attrelid::regclass || '.' || attname, relowner, attacl
         from pg_attribute a join pg_class c on c.oid = a.attrelid
       union all select 'function ' || oid::regprocedure, proowner, proacl from pg_proc
         where pronamespace <> 'pg_catalog'::regnamespace
       union all select 'future ' || defaclobjtype::text, defaclrole, defaclacl from pg_default_acl
     )
     select pg_get_userbyid(grantee) || ': ' || lower(privilege_type) || ' on ' || what as line
     from acl, aclexplode(acl.acl)
     where pg_get_userbyid(grantee) = any($1) and grantee <> owner
     union all
     select rolname || ': attributes ' || concat_ws(' ', rolsuper, rolcreaterole, rolcreatedb,
       rolbypassrls, rolreplication, rolcanlogin) from pg_roles where rolname = any($1)
     union all
     select policyname || ': rows of ' || schemaname || '.' || tablename || ' where ' || qual
     from pg_policies
     order by line`,
    [roles],
  );
  return rows.map(({ line }) => line);
}
