/**
 * `npm run migrate`: creates tables, keys, roles and rights, as the role that owns the registry.
 */
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
      `Keys moved from DATABASE_URL to KEYS_URL: ${moved.subjectKeys}, ${moved.destroyed} of them destroyed ones, and ${moved.serviceKeys} of the services.`,
    );
  console.log("Tables and keys are those of this version.");
  console.log(
    options.passwords
      ? "Each service has its role, with the rights that it needs."
      : "One role serves all: set COMMAND_API_PASSWORD, QUERY_API_PASSWORD, PROJECTOR_PASSWORD and MAILER_PASSWORD for a role of each service.",
  );
} catch (error) {
  console.error(explainFailure(error));
  exitCode = 1;
}
process.exit(exitCode);
