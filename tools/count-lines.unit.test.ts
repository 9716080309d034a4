import { describe, expect, it } from "vitest";
import { kindOf } from "./count-lines.ts";

describe("the line counter", () => {
  it.each([
    ["services/web/a.ts", "", "production"],
    ["tools/a.sql", "", "production"],
    ["deploy/haproxy/haproxy.cfg", "", "production"],
    [".ci/run", "#!/usr/bin/env bash\n", "production"],
    ["packages/test-runs/a.ts", "", "production"],
    ["contracts/src/a.ts", "", "production"],
    ["services/web/a.unit.test.tsx", "", "tests"],
    ["e2e/a.e2e.test.ts", "", "tests"],
    ["e2e/support/a.ts", "", "e2e"],
    ["packages/test-kit/a.ts", "", "support"],
    ["services/web/testing/a.ts", "", "support"],
    ["packages/search/contract/a.ts", "", "support"],
    ["packages/files/contract-suite.ts", "", "support"],
    ["e2e/fixtures/a.sql", "", "fixtures"],
    ["packages/vault/stored-samples/a.json", "", "fixtures"],
    ["packages/theme/tokens.css", "/* Written by `node write.ts`. */", "generated"],
    ["tools/net/frozen/openapi.yaml", "", "fixtures"],
    ["package-lock.json", "{}", "generated"],
    ["docs/a.md", "#!", "markdown"],
    ["docker-compose.yml", "", "data"],
    ["Dockerfile", "FROM a", undefined],
  ])("classifies %s", (file, text, kind) => {
    expect(kindOf(file, text)).toBe(kind);
  });
});
