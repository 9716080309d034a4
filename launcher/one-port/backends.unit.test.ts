import { describe, expect, it } from "vitest";
import { pickBackend } from "./one-port.ts";

describe("the backends behind one port", () => {
  it.each([
    ["GET", "/prod/api/reports/recent?limit=200", "queryApi"],
    ["HEAD", "/prod/api/reports/recent", "queryApi"],
    ["GET", "/prod/admin/reports", "queryApi"],
    ["GET", "/prod/api/reports/all", "queryApi"],
    ["GET", "/prod/api/reports/all?admin_view=true&_cb=1", "queryApi"],
    ["GET", "/prod", "queryApi"],
    ["POST", "/prod/api/reports/submit", "commandApi"],
    ["PUT", "/prod/api/admin/reports/1", "commandApi"],
    ["DELETE", "/prod/api/admin/reports/1", "commandApi"],
    ["OPTIONS", "/prod/api/reports/submit", "commandApi"],
    ["GET", "/prod/api/reports/all?emergency_approve=true&report_id=1", "commandApi"],
    ["GET", "/prod/api/reports/all?report_id=1&emergency_edit=true&edit_data=e30", "commandApi"],
    ["GET", "/prod/api/reports/all?%65mergency_delete=true", "commandApi"],
    ["GET", "/prod/api/reports/recent?emergency_approve=true", "queryApi"],
    ["GET", "/prod/api/reports/search?q=emergency_approve", "queryApi"],
    ["GET", "/healthz", "operations"],
    ["GET", "/readyz?verbose", "operations"],
    ["GET", "/metrics", "operations"],
    ["GET", "/docs", "operations"],
    ["GET", "/docs/static/index.css", "operations"],
    ["GET", "/outbox/a.eml", "operations"],
    ["GET", "/admin", "console"],
    ["GET", "/admin/reports/1", "console"],
    ["GET", "/administrators", "site"],
    ["GET", "/production", "site"],
    ["GET", "/documents", "site"],
    ["GET", "/", "site"],
    ["POST", "/report", "site"],
    ["GET", "/?next=/prod/api", "site"],
  ])("%s %s is answered by %s", (method, url, backend) => {
    expect(pickBackend(method, url)).toBe(backend);
  });
});
