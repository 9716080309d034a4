/** The backends that answer requests in the one-process profile. */
export type Backend = "commandApi" | "queryApi" | "operations" | "console" | "site";

const operationsPaths = ["/healthz", "/readyz", "/metrics"];
const operationsFolders = ["/docs", "/outbox", "/__dev"];

/**
 * Picks the backend for a request, as `deploy/haproxy.cfg` does in front of separate processes. Reads of the
 * API go to query-api, all its other requests to command-api. The old `GET .../reports/all` with an
 * `emergency_...` parameter looks like a read but is a command.
 * @param url path and query of the request line.
 */
export function pickBackend(method: string, url: string): Backend {
  const cut = url.indexOf("?");
  const path = cut < 0 ? url : url.slice(0, cut);
  const query = cut < 0 ? "" : url.slice(cut + 1);
  if (isIn(path, "/prod")) {
    if (method !== "GET" && method !== "HEAD") return "commandApi";
    return path === "/prod/api/reports/all" && hasEmergencyParameter(query)
      ? "commandApi"
      : "queryApi";
  }
  if (operationsPaths.includes(path) || operationsFolders.some((folder) => isIn(path, folder)))
    return "operations";
  return isIn(path, "/admin") ? "console" : "site";
}

function hasEmergencyParameter(query: string): boolean {
  return [...new URLSearchParams(query).keys()].some((name) => name.startsWith("emergency_"));
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
