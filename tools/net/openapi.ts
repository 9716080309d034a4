import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Document, isPair, isScalar, visit } from "yaml";
import { startRegistry } from "../../e2e/support/registry.ts";

/** Writes the description of the API that a registry shows, with sorted keys. */
export async function writeOpenApi(file: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-openapi-"));
  const registry = await startRegistry({ dataDir });
  try {
    const reply = await fetch(`${registry.url}/docs/json`);
    const { info: _versionOfTheRegistry, ...described } = (await reply.json()) as { info: object };
    const document = new Document(described, { sortMapEntries: true });
    visit(document, {
      // What holds no other collection is a line.
      Collection(_, node) {
        node.flow = node.items.every((item) => isScalar(isPair(item) ? item.value : item));
      },
    });
    await writeFile(file, document.toString({ lineWidth: 0 }));
  } finally {
    await registry.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
