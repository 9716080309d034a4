import { readFile } from "node:fs/promises";
import path from "node:path";
import {
  type ContainerRuntimeClient,
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  type StartedTestContainer,
  Wait,
  type WaitStrategy,
} from "testcontainers";
import { parse } from "yaml";

/** Time limit for a server in a container to answer, on a busy machine, in milliseconds. */
const START_LIMIT_MS = 240_000;

const root = path.resolve(import.meta.dirname, "../..");

interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: string | readonly string[];
}

/** A server from docker-compose.yml that runs alone in a container. */
export interface ContainerServer {
  /** Its name in docker-compose.yml, which defines its image and environment. */
  readonly service: string;
  readonly port: number;
  readonly ready: WaitStrategy;
  /** The variable from which the suites read its address. */
  readonly variable: string;
  readonly url: (address: string) => string;
  /** Additions to its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Test files that must pass on it. */
  readonly suites: readonly string[];
}

const S3_PASSWORD = "registry-test-password";

export const containerServers: readonly ContainerServer[] = [
  {
    service: "eventstoredb",
    port: 2113,
    ready: Wait.forHttp("/health/live", 2113).forStatusCodeMatching((code) => code < 300),
    variable: "TEST_EVENT_STORE_URL",
    // In docker-compose.yml, certificates and users are secrets.
    environment: { EVENTSTORE_INSECURE: "true" },
    url: (address) => `esdb://${address}?tls=false`,
    suites: ["packages/event-store/eventstoredb/eventstoredb.resilience.test.ts"],
  },
  {
    service: "opensearch",
    port: 9200,
    ready: Wait.forHttp("/_cluster/health", 9200).forStatusCode(200),
    variable: "TEST_SEARCH_URL",
    environment: { DISABLE_SECURITY_PLUGIN: "true" },
    url: (address) => `http://${address}`,
    suites: ["packages/search/opensearch/opensearch-search.resilience.test.ts"],
  },
  {
    service: "redis",
    port: 6379,
    ready: Wait.forLogMessage(/Ready to accept connections/),
    variable: "TEST_REDIS_URL",
    url: (address) => `redis://${address}`,
    suites: ["packages/http/counters/redis/shared-counters.resilience.test.ts"],
  },
  {
    service: "seaweedfs",
    port: 8333,
    ready: Wait.forHttp("/healthz", 8333).forStatusCode(200),
    variable: "TEST_S3_URL",
    // In docker-compose.yml, its users are a secret.
    environment: { AWS_ACCESS_KEY_ID: "registry", AWS_SECRET_ACCESS_KEY: S3_PASSWORD },
    url: (address) => `s3://registry:${S3_PASSWORD}@${address}?tls=false`,
    suites: ["packages/files/s3/s3-file-store.resilience.test.ts"],
  },
];

/** Returns the container runtime, or why there is none. */
export async function findContainers(): Promise<ContainerRuntimeClient | string> {
  try {
    return await getContainerRuntimeClient();
  } catch {
    return "needs Docker, which does not run here";
  }
}

/** Pulls the server's image unless it is present. @returns why it is unavailable, if it is. */
export async function fetchImage(
  client: ContainerRuntimeClient,
  { service }: ContainerServer,
): Promise<string | undefined> {
  const { image } = await composeService(service);
  const name = ImageName.fromString(image);
  try {
    if (!(await client.image.exists(name))) await client.image.pull(name);
    return undefined;
  } catch (error) {
    return `needs the image ${image}, which cannot be fetched: ${(error as Error).message}`;
  }
}

/** Starts an empty server, and returns its address in the form that the suites need. */
export async function startServer(
  server: ContainerServer,
): Promise<{ container: StartedTestContainer; url: string }> {
  const { image, environment = {}, command } = await composeService(server.service);
  // The secrets are missing here, so variables that name their files are left out.
  const plain = Object.entries(environment).filter(([name]) => !name.endsWith("_FILE"));
  const container = await new GenericContainer(image)
    .withEnvironment({ ...Object.fromEntries(plain), ...server.environment })
    .withCommand(typeof command === "object" ? withoutSecrets(command) : [])
    .withExposedPorts(server.port)
    .withWaitStrategy(server.ready)
    .withStartupTimeout(START_LIMIT_MS)
    .start();
  const address = `${container.getHost()}:${container.getMappedPort(server.port)}`;
  return { container, url: server.url(address) };
}

/** Removes options whose value is a secret's file, and those of ports with TLS. */
function withoutSecrets(command: readonly string[]): string[] {
  const left: string[] = [];
  for (let index = 0; index < command.length; index += 1) {
    const word = command[index] ?? "";
    const isLeftOut = /^--(port|tls-.*)$/.test(word);
    if (word.includes("=/run/secrets/")) continue;
    if (isLeftOut || command[index + 1]?.startsWith("/run/secrets/")) index += 1;
    else left.push(word);
  }
  return left;
}

async function composeService(name: string): Promise<ComposeService> {
  const text = await readFile(path.join(root, "docker-compose.yml"), "utf8");
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml lacks ${name}`);
  return service;
}
