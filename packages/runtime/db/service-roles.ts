import type { Pool } from "pg";

/** The PostgreSQL role of each service, created by `npm run migrate`. The backup command uses `backup` too. */
export const SERVICE_ROLES = {
  "command-api": "registry_command_api",
  "query-api": "registry_query_api",
  projector: "registry_projector",
  mailer: "registry_mailer",
  backup: "registry_backup",
} as const;

export type ServiceName = keyof typeof SERVICE_ROLES;

export const SERVICE_NAMES = Object.keys(SERVICE_ROLES) as ServiceName[];

/** URL of the same database for another user. @param url `postgres://`. */
export function urlAs(url: string, user: string, password: string): string {
  const place = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?(.*)$/is.exec(url)?.[1] ?? "";
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${place}`;
}

/** Whether a service connects as its own role or as one with more rights. */
export async function rightsOf(
  sql: Pick<Pool, "query">,
  service: ServiceName,
): Promise<"own role" | "one role for all"> {
  const { rows } = await sql.query("select 1 where current_user = $1", [SERVICE_ROLES[service]]);
  return rows.length > 0 ? "own role" : "one role for all";
}
