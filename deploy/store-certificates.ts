import { X509Certificate } from "node:crypto";
import { type Holder, makeCertificates, type Pair } from "./certificates.ts";
import type { SecretFiles } from "./secret-folder.ts";

/** Who can look at each server from its own container, e.g. for a health check. */
const HERE = "localhost";

/** The servers and services of docker-compose.yml that have a certificate, by the prefix of its files. */
const HOLDERS = {
  postgres: { commonName: "postgres", hosts: ["postgres", HERE] },
  postgres_keys: { commonName: "postgres-keys", hosts: ["postgres-keys", HERE] },
  redis: { commonName: "redis", hosts: ["redis", HERE] },
  opensearch: { commonName: "opensearch", hosts: ["opensearch", HERE] },
  command_api: { commonName: "command-api", hosts: ["command-api", HERE] },
  query_api: { commonName: "query-api", hosts: ["query-api", HERE] },
  web: { commonName: "web", hosts: ["web", HERE] },
  haproxy: { commonName: "haproxy", hosts: ["haproxy", HERE] },
  // Whoever has it may change users and roles of OpenSearch (`plugins.security.authcz.admin_dn`).
  opensearch_admin: { commonName: "opensearch-admin", hosts: [] },
  // All nodes of a cluster must have the same common name.
  eventstoredb: {
    commonName: "eventstoredb-node",
    hosts: ["eventstoredb", "eventstoredb-2", "eventstoredb-3", HERE],
  },
} as const satisfies Readonly<Record<string, Holder>>;
type HolderName = keyof typeof HOLDERS;
const NAMES = Object.keys(HOLDERS) as HolderName[];

/** The files of a holder with their texts. HAProxy takes certificate and key from one file. */
function filesOf(name: HolderName, pair?: Pair): (readonly [file: string, text: string])[] {
  const [certificate = "", key = ""] = [pair?.certificate.trim(), pair?.key.trim()];
  return name === "haproxy"
    ? [["haproxy_certificate_and_key", `${certificate}\n${key}`]]
    : [
        [`${name}_certificate`, certificate],
        [`${name}_key`, key],
      ];
}

/** The file with the authorities that clients trust, and its place in every container. */
export const AUTHORITY = "certificate_authority";
export const AUTHORITY_FILE = `/run/secrets/${AUTHORITY}`;

/**
 * Creates the authority and the certificates of all servers, unless all are there. If one is missing, all are made again,
 * because the authority that signed the others cannot sign another one.
 * @param renew makes new ones anyway; then clients trust the former authority as well, until the next renewal.
 */
export async function ensureCertificates(files: SecretFiles, renew: boolean): Promise<void> {
  const names = NAMES.flatMap((name) => filesOf(name).map(([file]) => file));
  const present = await Promise.all([AUTHORITY, ...names].map((name) => files.read(name)));
  if (!renew && present.every(Boolean)) return;
  const { authority, pairs } = await makeCertificates(HOLDERS);
  const former = renew ? newestOf(present[0] ?? "") : "";
  await files.write(AUTHORITY, [authority.trim(), former].filter(Boolean).join("\n"));
  for (const name of NAMES)
    for (const [file, text] of filesOf(name, pairs[name])) await files.write(file, text);
}

/** The first certificate of a bundle, in which the newest comes first. */
function newestOf(bundle: string): string {
  return /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(bundle)?.[0] ?? "";
}

/** When the servers' certificates end. */
export async function endOfCertificates(files: SecretFiles): Promise<Date> {
  return new Date(new X509Certificate(newestOf(await files.read(AUTHORITY))).validTo);
}
