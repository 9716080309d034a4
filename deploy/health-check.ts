/**
 * `node deploy/health-check.ts <url>`, for containers. The exit code is 0 if the address answers
 * with success.
 */
const [url = ""] = process.argv.slice(2);
const answer = await fetch(url, { signal: AbortSignal.timeout(4000) }).catch(() => undefined);
process.exitCode = answer?.ok ? 0 : 1;

export {};
