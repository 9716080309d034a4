import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

/** Lists the names of browser tests, without screen walks, and without files, so that a test may move. */
export async function listJourneys(file: string): Promise<void> {
  const files: string[] = [];
  for (const name of await readdir(path.join(root, "e2e"))) {
    if (!name.endsWith(".test.ts")) continue;
    const text = await readFile(path.join(root, "e2e", name), "utf8");
    if (text.includes("/browser.ts") && !text.includes("/stage.ts")) files.push(`e2e/${name}`);
  }
  // Written to the file that the names, which are read from it, then replace.
  const listed = ["list", `--json=${file}`, ...files];
  const { status, stderr } = spawnSync("vitest", listed, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`vitest listed nothing: ${stderr}`);
  const names = (JSON.parse(await readFile(file, "utf8")) as { name: string }[]).map(
    ({ name }) => name,
  );
  await writeFile(
    file,
    names
      .toSorted()
      .map((name) => `${name}\n`)
      .join(""),
  );
}
