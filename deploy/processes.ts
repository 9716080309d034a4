import type { TObject } from "typebox";
import type { Environment } from "#runtime/config/load-config.ts";
import type { ProcessSettings } from "#runtime/config/process-settings.ts";
import { commandApiVariables, readCommandApiConfig } from "#services/command-api/config.ts";
import { mailerVariables, readMailerConfig } from "#services/mailer/config.ts";
import { projectorVariables, readProjectorConfig } from "#services/projector/config.ts";
import { queryApiVariables, readQueryApiConfig } from "#services/query-api/config.ts";
import { readWebConfig, webVariables } from "#services/web/config.ts";
import { gatewayVariables, readGatewayConfig } from "./gateway/config.ts";

export interface ProcessDescription {
  /** Schema of its environment. */
  readonly variables: TObject;
  readonly readConfig: (environment: Environment) => ProcessSettings;
}

/** Everything that runs as a process of its own, by the name in `npm run start:<name>`. */
export const processes: Readonly<Record<string, ProcessDescription>> = {
  "command-api": { variables: commandApiVariables, readConfig: readCommandApiConfig },
  "query-api": { variables: queryApiVariables, readConfig: readQueryApiConfig },
  projector: { variables: projectorVariables, readConfig: readProjectorConfig },
  mailer: { variables: mailerVariables, readConfig: readMailerConfig },
  web: { variables: webVariables, readConfig: readWebConfig },
  gateway: { variables: gatewayVariables, readConfig: readGatewayConfig },
};
