/**
 * `node deploy/kubernetes/write-manifests.ts`: writes registry.yaml and operate.yaml anew, after each change of docker-compose.yml
 * or of a file that it mounts.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { compose } from "../testing/compose.ts";
import { manifestsOf, operateOf } from "./manifests.ts";
import { FRONT, yamlOf } from "./yaml.ts";

const write = (file: string, text: string) => writeFile(path.join(import.meta.dirname, file), text);
await write("registry.yaml", yamlOf(await manifestsOf(compose, FRONT)));
await write("operate.yaml", yamlOf(operateOf(compose, FRONT)));
