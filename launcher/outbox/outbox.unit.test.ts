import { describe, expect, it } from "vitest";
import { isLocalOnly, isLocalRequest, isLoopbackHost } from "#runtime/net/client-address.ts";
import { linkify, mailPage, outboxPage } from "./outbox.routes.ts";

const name = "<i>Fraud</i> & Co.";
const mail = {
  file: "a b.eml",
  to: "<script>alert(1)</script>@example.net",
  from: "registry@example.com",
  subject: 'A "quoted" <b>subject</b>',
  at: new Date("2026-05-02T10:00:00Z"),
  text: "Hello <img src=x onerror=alert(1)>",
};

describe("the outbox pages", () => {
  it("escape everything from an email", () => {
    for (const html of [outboxPage(name, [mail]), mailPage(name, mail)]) {
      expect(html).not.toMatch(/<script>alert|<img|<b>subject|<i>Fraud/);
      expect(html).toContain("A &quot;quoted&quot; &lt;b&gt;subject&lt;/b&gt;");
    }
  });

  it("link web addresses, without the punctuation around them", () => {
    expect(linkify("Open http://127.0.0.1:3000/verify-email/a-B_1?x=1&y=2. (https://a.b/c)")).toBe(
      'Open <a href="http://127.0.0.1:3000/verify-email/a-B_1?x=1&amp;y=2" rel="noreferrer">http://127.0.0.1:3000/verify-email/a-B_1?x=1&amp;y=2</a>. (<a href="https://a.b/c" rel="noreferrer">https://a.b/c</a>)',
    );
  });

  it("create no link with another scheme or one that breaks out of its attribute", () => {
    expect(linkify("javascript:alert(1)")).not.toContain("<a");
    expect(linkify('http://x/"onmouseover="alert(1)')).toContain('href="http://x/"');
    expect(linkify('http://x/"onmouseover="alert(1)')).not.toContain('"onmouseover');
  });
});

describe("local callers", () => {
  const local = { headers: { host: "127.0.0.1:3000" }, remoteAddress: "127.0.0.1" };

  it.each([
    [{ host: "localhost:3000" }, "127.0.0.1"],
    [{ host: "[::1]:3000" }, "::1"],
    [{ host: "127.0.0.1" }, "::ffff:127.0.0.1"],
  ])("include a request with %o from %s", (headers, remoteAddress) => {
    expect(isLocalRequest({ headers, remoteAddress })).toBe(true);
  });

  it("include none from another machine", () => {
    expect(isLocalRequest({ ...local, remoteAddress: "192.168.1.7" })).toBe(false);
    expect(isLocalRequest({ ...local, remoteAddress: undefined })).toBe(false);
  });

  it("include no page whose host name resolves to this machine", () => {
    for (const host of [
      "evil.example:3000",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "",
    ])
      expect(isLocalRequest({ ...local, headers: { host } })).toBe(false);
  });

  it("include none behind a proxy", () => {
    for (const header of ["x-forwarded-for", "x-forwarded-proto", "forwarded", "x-real-ip", "via"])
      expect(isLocalRequest({ ...local, headers: { ...local.headers, [header]: "x" } })).toBe(
        false,
      );
  });

  it("include none if the process is configured to be reachable by others", () => {
    expect(isLocalOnly({ trustProxyHops: 0 })).toBe(true);
    for (const publicUrl of ["http://127.0.0.1:3000", "http://localhost", "http://[::1]:3000"])
      expect([publicUrl, isLocalOnly({ trustProxyHops: 0, publicUrl })]).toEqual([publicUrl, true]);
    expect(isLocalOnly({ trustProxyHops: 1 })).toBe(false);
    expect(isLocalOnly({ trustProxyHops: 0, publicUrl: "https://registry.example" })).toBe(false);
  });

  it("include every loopback address", () => {
    expect(["127.0.0.1", "127.8.9.1", "::1", "[::1]", "localhost"].map(isLoopbackHost)).toEqual(
      Array(5).fill(true),
    );
    expect(["0.0.0.0", "::", "10.0.0.1", "example.com"].map(isLoopbackHost)).toEqual(
      Array(4).fill(false),
    );
  });
});
