/** Sends hostile requests from a separate thread, so that they do not disturb the measuring thread. */
import { parentPort, workerData } from "node:worker_threads";
import autocannon from "autocannon";
import type { HostileCount, HostileLoad } from "./hostile.ts";

/** It is stopped explicitly long before this. */
const LIMIT_SECONDS = 3600;

const { url, connections, requests } = workerData as HostileLoad;
const options = { url, connections, duration: LIMIT_SECONDS, timeout: 30, requests: [...requests] };
const load = autocannon(options, (error, result) => {
  if (error) throw error;
  const { errors, duration, statusCodeStats } = result;
  const counts = Object.entries(statusCodeStats ?? {});
  const statuses = Object.fromEntries(counts.map(([status, { count = 0 }]) => [status, count]));
  const counted: HostileCount = { seconds: duration, errors, statuses };
  parentPort?.postMessage(counted);
});
load.once("response", () => parentPort?.postMessage("answered"));
parentPort?.once("message", () => load.stop());
