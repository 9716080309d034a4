import { startVitest } from "vitest/node";
import { SummaryReporter } from "./summary-reporter.ts";

/** Runs one project of vitest.config.ts in a separate process. */
const [project, summaryFile] = process.argv.slice(2);
if (!project || !summaryFile) throw new Error("usage: vitest-stage.ts <project> <summary file>");
const vitest = await startVitest("test", [], {
  run: true,
  watch: false,
  project: [project],
  reporters: ["default", new SummaryReporter(summaryFile)],
});
await vitest.exit();
