import { Secret, TOTP } from "otpauth";
import { post } from "../../e2e/support/calls.ts";
import { addAccount } from "../../e2e/support/registry.ts";
import { ADMIN, openSession, type StoredSession } from "../../e2e/support/sessions.ts";

const { password } = ADMIN;

/** Adds an auditor, and an admin with two-factor sign-in. @returns the auditor. */
export async function addSampleStaff(url: string, dataDir: string): Promise<StoredSession> {
  const add = async (role: "admin" | "auditor", first: string) => {
    const email = `${first.toLowerCase()}@registry.example`;
    await addAccount(dataDir, { role, email, password, name: [first, "Holt"] });
    return openSession(url, { email, password });
  };
  const auditor = await add("auditor", "Ada");
  const owner = await add("admin", "Bea");
  const { secret } = await post<{ secret: string }>(url, "/auth/two-factor/setup", {}, owner.token);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await post(url, "/auth/two-factor/confirm", { code }, owner.token);
  return auditor;
}
