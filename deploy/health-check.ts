/** `node deploy/health-check.ts <url>`: exits with 0 on success. `?tlsCAFile=` of `https://` names authorities. */
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";

const url = new URL(process.argv[2] ?? "");
const authorities = url.searchParams.get("tlsCAFile");
const signal = AbortSignal.timeout(4000);
const request =
  url.protocol === "https:"
    ? https.get(url, { signal, ...(authorities && { ca: readFileSync(authorities) }) })
    : http.get(url, { signal });
request.once("response", ({ statusCode = 0 }) => {
  process.exit(statusCode >= 200 && statusCode < 300 ? 0 : 1);
});
request.once("error", () => process.exit(1));
