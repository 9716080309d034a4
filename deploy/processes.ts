import type { Environment } from "#runtime/config/load-config.ts";
import type { ProcessSettings } from "#runtime/config/process-settings.ts";
import { readBackupConfig } from "#services/backup/config.ts";
import { readCommandApiConfig } from "#services/command-api/config.ts";
import { readMailerConfig } from "#services/mailer/config.ts";
import { readProjectorConfig } from "#services/projector/config.ts";
import { readQueryApiConfig } from "#services/query-api/config.ts";
import { readWebConfig } from "#services/web/config.ts";

export interface ProcessDescription {
  readonly readConfig: (environment: Environment) => ProcessSettings;
}

/** Everything that runs as a separate process, by its name in `npm run start:<name>`. */
export const processes: Readonly<Record<string, ProcessDescription>> = {
  "command-api": { readConfig: readCommandApiConfig },
  "query-api": { readConfig: readQueryApiConfig },
  projector: { readConfig: readProjectorConfig },
  mailer: { readConfig: readMailerConfig },
  web: { readConfig: readWebConfig },
  backup: { readConfig: readBackupConfig },
};
