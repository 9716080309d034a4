import { describe, expect, it } from "vitest";
import { withReloadScript } from "./live-reload.ts";

describe("the reloading script", () => {
  it("is inserted at the end of the page", () => {
    expect(withReloadScript("<body>x</body>", "script-src 'self'")).toBe(
      '<body>x<script src="/__dev/reload.js" async></script></body>',
    );
  });

  it("carries the nonce of the page's script policy, not of the style policy", () => {
    const policy = "style-src 'nonce-s1'; script-src 'nonce-abc=' 'strict-dynamic'; img-src 'self'";
    expect(withReloadScript("<body></body>", policy)).toContain('nonce="abc="');
    expect(withReloadScript("<p>", "style-src 'nonce-s1'; script-src 'self'")).not.toContain(
      "nonce",
    );
  });
});
