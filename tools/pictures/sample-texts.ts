import { Secret, TOTP } from "otpauth";
import { addAccount } from "../../e2e/support/added-accounts.ts";
import { sendTemplate } from "../../e2e/support/admin-templates.ts";
import { adminTexts } from "../../e2e/support/admin-texts.ts";
import { post } from "../../e2e/support/calls.ts";
import { ADMIN, openSession, type StoredSession } from "../../e2e/support/sessions.ts";

const BODY = `A report shows what its reporter wrote, and **not** what we found out.

## What is new

- Search by phone number, for accounts
- A filter by country
- [The terms](/terms) say what a banner costs

> Reported, not independently verified.

| field | what the public sees | fee |
| ----- | -------------------- | --: |
| email | the first letter and the ending | $1,250.00 |
| phone | the last two digits | $25.00 |

1. Open the site.
2. Press \`Report Abuse\`.

\`\`\`
a line of code that is longer than a phone is wide, and then some more of it
\`\`\`
`;

/** Publishes eleven posts and a page, and deletes one post, as an admin. */
export async function publishSampleTexts(url: string, token: string): Promise<void> {
  const texts = adminTexts(url, token);
  for (let n = 1; n <= 11; n += 1)
    await texts.publish({
      kind: "blog",
      slug: `news-${n}`,
      title:
        n === 11 ? "Search by phone number, and eleven other things that changed" : `News ${n}`,
      description: "What has changed in this registry, and what we have learned from its reports.",
      body: BODY,
    });
  const page = {
    kind: "page",
    slug: "about-us",
    title: "About us",
    description: "Who runs the registry.",
    body: BODY,
  } as const;
  await texts.publish(page);
  const { id, revision } = await texts.publish({ ...page, kind: "blog", slug: "removed" });
  await texts.send("delete", { revision }, id);
}

const { password } = ADMIN;

/** Adds an auditor, and an admin with two-factor authentication. @returns the auditor. */
export async function addSampleStaff(url: string, dataDir: string): Promise<StoredSession> {
  const add = async (role: "admin" | "auditor", first: string) => {
    const email = `${first.toLowerCase()}@registry.example`;
    await addAccount(url, dataDir, { role, email, password, name: [first, "Holt"] });
    return openSession(url, { email, password });
  };
  const auditor = await add("auditor", "Ada");
  const owner = await add("admin", "Bea");
  const { secret } = await post<{ secret: string }>(url, "/auth/two-factor/setup", {}, owner.token);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await post(url, "/auth/two-factor/confirm", { code }, owner.token);
  return auditor;
}

/** Adds a draft template with two versions. */
export async function addSampleTemplate(url: string, token: string): Promise<void> {
  const admin = { url, token };
  const name = "Friendlier";
  const { id, revision } = await sendTemplate(admin, "create", "approved", { name });
  const words = {
    subject: "Your report is public now",
    body: "Hello{% if first_name %} {{ first_name }}{% endif %},\n\nyour report **{{ title }}** is public at {{ product_name }} now.\n\n- Anyone can find it.\n- [The terms]({{ site_url }}/terms) say what a banner costs.",
  };
  await sendTemplate(admin, "edit", "approved", { revision, name, ...words }, id);
}
