import { stringify } from "yaml";
import type { Manifest } from "./manifest.ts";

/** The service of docker-compose.yml with the public port. */
export const FRONT = "haproxy";

const HEAD = `# The registry in Kubernetes: docs/runbooks/kubernetes.md says how to use it.
# Made of docker-compose.yml by \`node deploy/kubernetes/write-manifests.ts\`; do not edit it by hand.
`;

/** The text of a file for `kubectl`: each manifest a document of its own. */
export function yamlOf(manifests: readonly Manifest[]): string {
  const documents = manifests.map((each) =>
    // Kubernetes reads YAML 1.1, in which `on` without quotes is a boolean.
    stringify(each, { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false }),
  );
  return `${HEAD}---\n${documents.join("---\n")}`;
}
