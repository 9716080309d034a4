import { enableCompileCache } from "node:module";
import path from "node:path";

// Keeps compiled code for the next start. A program imports this before it loads anything else dynamically. Where
// the folder cannot be written, each start compiles everything again.
enableCompileCache(path.resolve(import.meta.dirname, "../../../node_modules/.cache/programs"));
