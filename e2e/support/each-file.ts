import { afterAll } from "vitest";
import { closePages } from "./shared.ts";

// What files share stays open, but not their pages.
afterAll(closePages);
