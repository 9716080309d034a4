import "reflect-metadata";
import { randomBytes, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { SecretFiles } from "./secret-files.ts";

/** Validity of certificates in days, the same for the authority, as its key is gone. */
export const VALID_DAYS = 730;
const DAY_MS = 24 * 3_600_000;

/** EventStoreDB accepts no other kind of key. */
const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
} as const;

/** The subject of a certificate. */
export interface Holder {
  readonly commonName: string;
  /** Names and addresses that its clients use; empty for a client's certificate. */
  readonly hosts: readonly string[];
}

/** A certificate and its private key (PKCS #8), both in PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** Creates an authority and a certificate for each holder, then discards the authority's private key. */
export async function makeCertificates<Name extends string>(
  holders: Readonly<Record<Name, Holder>>,
  now = new Date(),
): Promise<{ readonly authority: string; readonly pairs: Readonly<Record<Name, Pair>> }> {
  const validity = {
    // For slow clocks.
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
  };
  const keys = await newKeys();
  const name = `CN=Chargeback Registry authority ${now.toISOString().slice(0, 10)}`;
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serialNumber(),
    name,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const made = Object.entries<Holder>(holders).map(async ([holder, { commonName, hosts }]) => {
    const own = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      ...validity,
      serialNumber: serialNumber(),
      subject: `CN=${commonName}`,
      issuer: name,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(
          KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment,
          true,
        ),
        // Nodes of EventStoreDB and OpenSearch are each other's clients.
        new ExtendedKeyUsageExtension(
          hosts.length > 0
            ? [ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]
            : [ExtendedKeyUsage.clientAuth],
        ),
        ...(hosts.length > 0
          ? [
              new SubjectAlternativeNameExtension(
                hosts.map((value) => ({
                  type: isIP(value) ? ("ip" as const) : ("dns" as const),
                  value,
                })),
              ),
            ]
          : []),
        await SubjectKeyIdentifierExtension.create(own.publicKey),
        await AuthorityKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const key = await crypto.subtle.exportKey("pkcs8", own.privateKey);
    return [
      holder,
      { certificate: certificate.toString("pem"), key: PemConverter.encode(key, "PRIVATE KEY") },
    ] as const;
  });
  return {
    authority: authority.toString("pem"),
    pairs: Object.fromEntries(await Promise.all(made)) as Record<Name, Pair>,
  };
}

function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

/** Returns 16 bytes in hex, the first of which is positive and not zero (RFC 5280, 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString("hex");
}

/** The name of each server inside its own container, for example for a health check. */
const HERE = "localhost";

/** The servers and services of docker-compose.yml with a certificate, by file prefix. */
const HOLDERS = {
  postgres: { commonName: "postgres", hosts: ["postgres", HERE] },
  postgres_keys: { commonName: "postgres-keys", hosts: ["postgres-keys", HERE] },
  redis: { commonName: "redis", hosts: ["redis", HERE] },
  opensearch: { commonName: "opensearch", hosts: ["opensearch", HERE] },
  command_api: { commonName: "command-api", hosts: ["command-api", HERE] },
  query_api: { commonName: "query-api", hosts: ["query-api", HERE] },
  web: { commonName: "web", hosts: ["web", HERE] },
  haproxy: { commonName: "haproxy", hosts: ["haproxy", HERE] },
  // Anyone holding it can change OpenSearch's users and roles (`plugins.security.authcz.admin_dn`).
  opensearch_admin: { commonName: "opensearch-admin", hosts: [] },
  // All nodes of a cluster must have the same common name.
  eventstoredb: {
    commonName: "eventstoredb-node",
    hosts: ["eventstoredb", "eventstoredb-2", "eventstoredb-3", HERE],
  },
} as const satisfies Readonly<Record<string, Holder>>;
type HolderName = keyof typeof HOLDERS;
const NAMES = Object.keys(HOLDERS) as HolderName[];

/** Returns a holder's files with their content. HAProxy reads certificate and key from one file. */
function filesOf(name: HolderName, pair?: Pair): (readonly [file: string, text: string])[] {
  const [certificate = "", key = ""] = [pair?.certificate.trim(), pair?.key.trim()];
  return name === "haproxy"
    ? [["haproxy_certificate_and_key", `${certificate}\n${key}`]]
    : [
        [`${name}_certificate`, certificate],
        [`${name}_key`, key],
      ];
}

/** The file of authorities that clients trust, also mounted in every container. */
export const AUTHORITY = "certificate_authority";
export const AUTHORITY_FILE = `/run/secrets/${AUTHORITY}`;

/**
 * Creates the authority and the certificates of all servers, unless all exist. If one is missing, all are
 * recreated, because the authority that signed the others cannot sign another one.
 * @param renew recreates them anyway; clients then also trust the previous authority until the next renewal.
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

/** Returns the first certificate of a bundle, which is the newest. */
function newestOf(bundle: string): string {
  return /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(bundle)?.[0] ?? "";
}

/** Returns when the servers' certificates expire. */
export async function endOfCertificates(files: SecretFiles): Promise<Date> {
  return new Date(new X509Certificate(newestOf(await files.read(AUTHORITY))).validTo);
}
