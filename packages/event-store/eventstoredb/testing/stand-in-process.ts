/**
 * The stand-in as a process, for tests that start the whole registry. It prints the URL for
 * `EVENT_STORE_URL` and serves until it is stopped; its log is then lost. Argument: a port; any
 * free one when absent.
 */
import { StandInServer } from "./stand-in-server.ts";

const server = new StandInServer();
await server.start(Number(process.argv[2] ?? 0));
console.log(server.url);
