import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ConfigInvalid, type Environment } from "./load-config.ts";
import type { VariablesOf } from "./read-variables.ts";

/** A PEM certificate with its intermediates, and its private key. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Settings of every separate process. */
export interface ProcessSettings {
  readonly version: string;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Port for operators, 0 for any free one. Without it, operators' replies go only to this machine. */
  readonly operationsPort?: number | undefined;
  /** If set, the process serves HTTPS on its ports. */
  readonly tls?: TlsPair | undefined;
  readonly logLevel: string;
  /** Whether a supervisor restarts it whenever it exits, whatever the exit code. */
  readonly isSupervised: boolean;
  /** Whether npm started it. If so, it exits when npm does, even if npm is killed. */
  readonly startedByNpm: boolean;
}

/** @param variables of a process, as read. @throws {ConfigInvalid} a certificate and key that don't match. */
export function processSettings(
  variables: Pick<VariablesOf<"web">, "HOST" | "PORT" | "OPERATIONS_PORT" | "LOG_LEVEL"> &
    Partial<Pick<VariablesOf<"mailer">, "SUPERVISED">> &
    Partial<Pick<VariablesOf<"web">, "TLS_CERTIFICATE" | "TLS_KEY">>,
  env: Environment,
): ProcessSettings {
  return {
    version: packageVersion(),
    host: variables.HOST,
    port: variables.PORT,
    operationsPort: variables.OPERATIONS_PORT,
    tls: tlsPairOf(variables),
    logLevel: variables.LOG_LEVEL,
    isSupervised: variables.SUPERVISED === "on",
    startedByNpm: env.npm_lifecycle_event !== undefined,
  };
}

function tlsPairOf({
  TLS_CERTIFICATE: cert,
  TLS_KEY: key,
}: Partial<Pick<VariablesOf<"web">, "TLS_CERTIFICATE" | "TLS_KEY">>): TlsPair | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined || !isPair(cert, key))
    throw new ConfigInvalid([
      "TLS_CERTIFICATE and TLS_KEY must be a certificate and its key, in PEM",
    ]);
  return { cert, key };
}

function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

export function packageVersion(): string {
  const file = path.resolve(import.meta.dirname, "../../../package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
