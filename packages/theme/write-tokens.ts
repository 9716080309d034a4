/** `node packages/theme/write-tokens.ts`: generates tokens.css from tokens.ts. */
import { writeFileSync } from "node:fs";
import { tokensCss } from "./tokens.ts";

writeFileSync(new URL("./tokens.css", import.meta.url), tokensCss());
