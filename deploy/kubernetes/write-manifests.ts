/**
 * `node deploy/kubernetes/write-manifests.ts`: writes registry.yaml anew, after each change of docker-compose.yml
 * or of a file that it mounts.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { compose } from "../testing/compose.ts";
import { manifestsOf } from "./manifests.ts";
import { FRONT, yamlOf } from "./yaml.ts";

const file = path.join(import.meta.dirname, "registry.yaml");
await writeFile(file, yamlOf(await manifestsOf(compose, FRONT)));
