import { startOwnServer } from "#test-kit/own-server.ts";
import { wipeJobs } from "../testing/wipe-jobs.ts";
import { mailJobsContract } from "./contract-suite.ts";
import { openPostgresMailJobs } from "./postgres-mail-jobs.ts";

mailJobsContract(
  "postgres",
  openPostgresMailJobs,
  async () => {
    const server = await startOwnServer();
    return {
      ...server,
      wipes: {
        "all tables emptied": () => wipeJobs(server.url, "all tables emptied"),
        "its schema removed": () => wipeJobs(server.url, "its schema removed"),
      },
    };
  },
  ["all tables emptied", "its schema removed"],
);
