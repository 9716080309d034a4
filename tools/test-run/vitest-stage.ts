import { startVitest } from "vitest/node";
import { SummaryReporter } from "./summary-reporter.ts";

/** Runs one project of vitest.config.ts, or some of its files, in a separate process. */
const [project, summaryFile, ...files] = process.argv.slice(2);
if (!project || !summaryFile)
  throw new Error("usage: vitest-stage.ts <project> <summary file> [<test file>...]");
const vitest = await startVitest("test", files, {
  run: true,
  watch: false,
  project: [project],
  reporters: ["default", new SummaryReporter(summaryFile)],
});
await vitest.exit();
