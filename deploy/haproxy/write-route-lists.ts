/** Writes the lists of routes that `haproxy.cfg` reads. Run it after a change of the contract's routes. */
import { writeFileSync } from "node:fs";
import { routeLists } from "./route-lists.ts";

for (const [file, text] of Object.entries(routeLists()))
  writeFileSync(new URL(file, import.meta.url), text);
