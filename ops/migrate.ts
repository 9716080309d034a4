/** `npm run migrate`: creates tables, keys, roles and rights, as the role that owns the registry. */
import { explainFailure } from "#launcher/explain-failure.ts";
import { readMigrateConfig } from "#launcher/migrate/config.ts";
import { migrate } from "#launcher/migrate/migrate.ts";
import { takesNoArguments } from "#runtime/lifecycle/usage.ts";

takesNoArguments("migrate");
let exitCode = 0;
try {
  const options = readMigrateConfig();
  const moved = await migrate(options);
  if (moved)
    console.log(
      `Keys moved from DATABASE_URL to KEYS_URL: ${moved.subjectKeys} subject keys, ${moved.destroyed} of them destroyed, and ${moved.serviceKeys} service keys.`,
    );
  console.log("Tables and keys are up to date.");
  console.log(
    options.passwords
      ? "Each service has its role, with the rights that it needs."
      : "All services share one role: set COMMAND_API_PASSWORD, QUERY_API_PASSWORD, PROJECTOR_PASSWORD, MAILER_PASSWORD and BACKUP_PASSWORD to give each service its own.",
  );
} catch (error) {
  console.error(explainFailure(error));
  exitCode = 1;
}
process.exit(exitCode);
