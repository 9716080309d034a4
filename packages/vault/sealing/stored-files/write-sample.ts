/** Writes a sealed file that tests must open forever. Run once for each version of the format. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { sealFile } from "../file-seal.ts";

const [key, id] = [randomBytes(32), randomUUID()];
// Two pieces: a full one, and the last one.
const content = Buffer.from("A file that was stored. ".repeat(2900));
async function* given() {
  yield content;
}
const stored = await buffer(sealFile(key, id, given()));
const sample = {
  key: key.toString("base64"),
  id,
  bytes: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
  stored: stored.toString("base64"),
};
const file = new URL("./file-v1.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(sample, null, 2)}\n`, { flag: "wx" });
