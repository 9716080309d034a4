import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SERVICE_NAMES, SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { KEY_USERS } from "#vault/keys/service-keys.ts";
import { OWNED, RIGHTS } from "./rights.ts";

const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/rights.md"), "utf8");

function between(mark: string): string[] {
  const [, text = ""] = new RegExp(`<!-- ${mark} -->\n([^]*?)<!-- /${mark} -->`).exec(page) ?? [];
  return text.trim().split("\n");
}

describe("docs/rights.md", () => {
  it("shows the table of rights", () => {
    const rows = SERVICE_NAMES.flatMap((service) =>
      Object.entries(RIGHTS[service]).map(
        ([object, rights]) => `| ${service} | \`${object}\` | ${rights} |`,
      ),
    );
    expect(between("rights")).toEqual(["| service | object | rights |", "|---|---|---|", ...rows]);
  });

  it("shows who uses which service key", () => {
    const rows = Object.entries(KEY_USERS).map(
      ([name, users]) => `| \`${name}\` | ${users.join(", ")} |`,
    );
    expect(between("keys")).toEqual(["| key | services |", "|---|---|", ...rows]);
  });

  it("shows each role and what it owns", () => {
    for (const service of SERVICE_NAMES) {
      const owned = (OWNED[service] ?? []).map((schema) => `\`${schema}\``).join(", ");
      const start = `| ${service} | \`${SERVICE_ROLES[service]}\` | ${owned}${owned ? " " : ""}|`;
      expect(page).toContain(start);
    }
  });
});
