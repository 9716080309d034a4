import type { Pool } from "pg";
import { rightsOf, SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import type { ScanCheck } from "./scan-check.ts";

/** Staff who may act. */
const STAFF = "role <> 'user' and status = 'active'";
const WITHOUT_FACTOR = `select count(*)::int as n from command.account where ${STAFF} and factor_id is null`;
const ADMINS =
  "select count(*)::int as n from command.account where role = 'admin' and status = 'active'";

/** Roles of services that could do more than their rights say. */
const POWERFUL = `
  select count(*)::int as n from pg_roles where rolname = any($1)
    and (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication)`;

/** What nobody does to the log and to the keys of services, whatever they may do. */
const FORBIDDEN = `
  select count(*)::int as n
  from (values ('event_log.event', 'insert, update, delete, truncate'),
               ('keys.service_key', 'insert, update, delete, truncate')) as t (name, rights)
  where to_regclass(t.name) is not null and has_table_privilege(current_user, t.name, t.rights)`;

/** Accounts and rights, as the database has them. */
export function databaseChecks(pool: Pick<Pool, "query">): ScanCheck[] {
  const count = async (sql: string, values: readonly unknown[] = []) => {
    const { rows } = await pool.query<{ n: number }>(sql, [...values]);
    return rows[0]?.n ?? 0;
  };
  return [
    {
      code: "staff_without_factor",
      fine: "All staff have a second factor.",
      async find() {
        const n = await count(WITHOUT_FACTOR);
        if (n === 0) return undefined;
        return `${n} of the accounts of staff ${n === 1 ? "has" : "have"} no second factor. Ask them to set one up in their settings, or take the role away.`;
      },
    },
    {
      code: "only_admin",
      fine: "There is more than one admin.",
      async find() {
        if ((await count(ADMINS)) > 1) return undefined;
        return "There is one admin: nobody can reset that second factor, or act while that account is lost. Invite another one.";
      },
    },
    {
      code: "service_roles",
      fine: "command-api connects as its own role.",
      async find() {
        if ((await rightsOf(pool, "command-api")) === "own role") return undefined;
        return "All services share one database role, which may do everything. Set the passwords of the roles and run npm run migrate.";
      },
    },
    {
      code: "role_rights",
      fine: "No role of a service is more powerful than its rights say.",
      async find() {
        const n = await count(POWERFUL, [Object.values(SERVICE_ROLES)]);
        if (n === 0) return undefined;
        return `${n} of the roles of services may make roles or databases, or pass by row-level security. Take these attributes away by ALTER ROLE.`;
      },
    },
    {
      code: "log_rights",
      fine: "The role of command-api cannot change what is in the log, or the keys of services.",
      async find() {
        if ((await count(FORBIDDEN)) === 0) return undefined;
        return "The role of command-api may change the tables of the log or of the services' keys. Run npm run migrate, which takes back what is too much.";
      },
    },
  ];
}
