/** `node console.ts <file of the admin's password>`: tries the console's buttons on separate processes. */
import assert from "node:assert/strict";
import { isEnded, JOB, type Job } from "#contracts/http/jobs.ts";
import { SYSTEM_ACTIONS_PATH, type SystemActionName } from "#contracts/system/actions.ts";
import { ask, eventually, signIn } from "./site.ts";

/** Time limit of one job, in milliseconds. */
const JOB_MS = 900_000;

const signedIn = await signIn(process.argv[2] ?? "");

/** Starts an action, and waits for its job to finish. */
async function press(action: SystemActionName): Promise<void> {
  const begun = await ask("POST", SYSTEM_ACTIONS_PATH, { action }, signedIn);
  assert.equal(begun.status, 200, `${action} begins`);
  const at = JOB.replace(":id", begun.data.job_id);
  const job = await eventually<Job>(
    `the end of ${action}`,
    async () => {
      const { status, data } = await ask("GET", at, undefined, signedIn);
      return status === 200 && isEnded(data.state) ? data : undefined;
    },
    JOB_MS,
  );
  for (const { target, outcome, message } of job.lines)
    console.log(`${action}: ${target ?? ""} ${outcome} ${message ?? ""}`);
  assert.deepEqual([job.state, job.counts.failed, job.error], ["done", 0, undefined]);
  assert.ok(job.counts.done > 0, `${action} did something`);
}

await press("backup");
await press("restart");
console.log("A backup and a restart by the console work.");
