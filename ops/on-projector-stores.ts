import { createClient } from "#runtime/db/pool.ts";
import { SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { readArguments } from "#runtime/lifecycle/usage.ts";
import type { OperatorCommand, OperatorContext } from "#services/projector/cli/operator.ts";
import { type CommandContext, runWithStores } from "./with-stores.ts";

/** The context for a command of the projector, on the stores of this instance. */
export async function operatorContext({ instance }: CommandContext): Promise<OperatorContext> {
  const { projectorConfig } = await import("#launcher/service-configs.ts");
  const config = projectorConfig(instance);
  const databaseUrl = await asProjector(config.databaseUrl);
  const isInDatabase = config.searchUrl === config.databaseUrl;
  return {
    config: { ...config, databaseUrl, searchUrl: isInDatabase ? databaseUrl : config.searchUrl },
    log: instance.log("command"),
    print: (line) => console.log(line),
    warn: (line) => console.error(line),
  };
}

/**
 * A URL whose connections act as the projector's role, if that owns the read models. A rebuild then
 * creates tables that the projector owns and that the same roles can read.
 */
async function asProjector(url: string): Promise<string> {
  const client = createClient({ url, name: "command" });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select 1 from pg_namespace where nspname = 'reports' and pg_get_userbyid(nspowner) = $1
         and current_user <> $1`,
      [SERVICE_ROLES.projector],
    );
    if (rows.length === 0) return url;
    const options = `options=${encodeURIComponent(`-c role=${SERVICE_ROLES.projector}`)}`;
    return `${url}${url.includes("?") ? "&" : "?"}${options}`;
  } finally {
    await client.end();
  }
}

/** Runs one of the projector's commands with the arguments of this process. */
export async function runOnProjectorStores<Given>({
  usage,
  parse,
  run,
}: OperatorCommand<Given>): Promise<never> {
  const given = readArguments(usage, parse);
  return runWithStores(async (context) => run(given, await operatorContext(context)));
}
