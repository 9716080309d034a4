import { adminTexts } from "../../e2e/support/admin-texts.ts";

const BODY = `A report shows what its reporter wrote, and **not** what we found out.

## What is new

- Search by phone number, for accounts
- A filter by country
- [The terms](/terms) say what a banner costs

> Reported, not independently verified.

| field | what the public sees | fee |
| ----- | -------------------- | --: |
| e-mail | the first letter and the ending | $1,250.00 |
| phone | the last two digits | $25.00 |

1. Open the site.
2. Press \`Report Abuse\`.

\`\`\`
a line of code that is longer than a phone is wide, and then some more of it
\`\`\`
`;

/** Publishes eleven posts and a page, and deletes one post, as an admin does. */
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
