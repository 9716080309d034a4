import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import type { Environment } from "#runtime/config/load-config.ts";
import type { ProcessSettings } from "#runtime/config/process-settings.ts";
import { readBackupConfig } from "#services/backup/config.ts";
import { readCommandApiConfig } from "#services/command-api/config.ts";
import { readMailerConfig } from "#services/mailer/config.ts";
import { readProjectorConfig } from "#services/projector/config.ts";
import { readQueryApiConfig } from "#services/query-api/config.ts";
import { readWebConfig } from "#services/web/config.ts";
import { makeComposeSecrets } from "../secret-files.ts";

export interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly pull_policy?: string;
  readonly profiles?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly restart?: string;
  readonly logging?: {
    readonly driver?: string;
    readonly options?: Readonly<Record<string, string>>;
  };
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly user?: string;
  readonly networks?: readonly string[];
  readonly working_dir?: string;
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<
    Record<string, { readonly condition?: string; readonly required?: boolean }>
  >;
  readonly healthcheck?: {
    readonly test?: readonly string[];
    readonly interval?: string;
    readonly timeout?: string;
    readonly retries?: number;
  };
  readonly stop_signal?: string;
  readonly deploy?: {
    readonly resources?: {
      readonly limits?: {
        readonly cpus?: string;
        readonly memory?: string;
        readonly pids?: number;
      };
    };
    readonly replicas?: number;
  };
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

export const root = path.resolve(import.meta.dirname, "../..");

/** Reads a file of the repository. */
export const read = (name: string) => readFile(path.join(root, name), "utf8");

const parsed = async (name: string) => parse(await read(name), { merge: true });

export const compose = (await parsed("docker-compose.yml")) as Compose;
/** The override that runs EventStoreDB as three nodes. */
export const cluster = (await parsed("docker-compose.cluster.yml")) as Compose;
export const services = Object.entries(compose.services);

export const { scripts } = JSON.parse(await read("package.json")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Everything that runs as a separate process, by its name in `npm run start:<name>`. */
export const processes: Readonly<
  Record<string, { readonly readConfig: (environment: Environment) => ProcessSettings }>
> = {
  "command-api": { readConfig: readCommandApiConfig },
  "query-api": { readConfig: readQueryApiConfig },
  projector: { readConfig: readProjectorConfig },
  mailer: { readConfig: readMailerConfig },
  web: { readConfig: readWebConfig },
  backup: { readConfig: readBackupConfig },
};

/** A service in docker-compose.yml. */
export function serviceOf(name: string): ComposeService {
  const service = compose.services[name];
  if (!service) throw new Error(`docker-compose.yml lacks ${name}`);
  return service;
}

/** Returns the names of services that receive a secret. */
export function usersOf(secret: string): string[] {
  return services.filter(([, { secrets = [] }]) => secrets.includes(secret)).map(([name]) => name);
}

/** Returns the server addresses a service is configured with, in its environment and its secrets. */
export async function addressesOf(
  { environment = {}, secrets: given = [] }: ComposeService,
  secrets: string,
): Promise<URL[]> {
  const inFiles = given.map((secret) => readFile(path.join(secrets, secret), "utf8"));
  return [...Object.values(environment), ...(await Promise.all(inFiles))]
    .flatMap((value) => value.split(/,(?=https?:)/))
    .filter((value) => /^[a-z\d+]+:\/\//.test(value) && !value.startsWith("file:"))
    .map((value) => new URL(value));
}

/** Returns the hosts in the addresses a service is configured with. */
export async function hostsOf(service: ComposeService, secrets: string): Promise<string[]> {
  return [...new Set((await addressesOf(service, secrets)).map(({ hostname }) => hostname))];
}

/**
 * Creates the secrets of docker-compose.yml in a folder, with references between them pointing there.
 * @returns their names.
 */
export async function makeSettledSecrets(folder: string): Promise<readonly string[]> {
  const made = await makeComposeSecrets(folder);
  for (const name of made) {
    const file = path.join(folder, name);
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replaceAll("/run/secrets", () => folder),
    );
  }
  return made;
}

/** Returns names of the secrets whose paths a service's settings, programs, files and secrets contain. */
export async function secretsNamedBy(service: ComposeService, folder: string): Promise<string[]> {
  const { environment, command, entrypoint, healthcheck, configs = [], secrets = [] } = service;
  const texts = await Promise.all([
    ...configs.map(({ source }) => read(compose.configs[source]?.file ?? "")),
    ...secrets.map((name) => readFile(path.join(folder, name), "utf8")),
  ]);
  texts.push(JSON.stringify([environment, command, entrypoint, healthcheck]));
  const named = texts.join("\n").matchAll(/\/run\/secrets\/(\w+)/g);
  return [...new Set([...named].map(([, name = ""]) => name))].toSorted();
}

/** Returns the environment of a container, with secrets from this folder. */
export function settled(
  environment: Readonly<Record<string, string>>,
  secrets: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([variable, value]) => [
      variable,
      value.replace(/\$\{\w+:-([^}]*)\}/g, "$1").replaceAll("/run/secrets", () => secrets),
    ]),
  );
}
