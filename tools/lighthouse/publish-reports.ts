import { chargeback } from "../../e2e/support/reports.ts";
import { ADMIN, openSession } from "../../e2e/support/sessions.ts";

const NAMES = ["Ames", "Brook", "Chan", "Diaz", "Ellis", "Frost", "Gray", "Hale", "Ives", "Jain"];

/** Submits and approves ten reports. @returns the address of one that can be read. */
export async function publishReports(url: string): Promise<string> {
  const { token } = await openSession(url, ADMIN);
  const authorization = `Bearer ${token}`;
  for (const last_name of NAMES) {
    const { id } = await call<{ id: string }>(`${url}/prod/api/reports/submit`, {
      ...chargeback,
      last_name,
    });
    await call(`${url}/prod/api/admin/reports/${id}/approve`, {}, { authorization });
  }
  for (;;) {
    const reply = await fetch(`${url}/prod/api/reports/recent?limit=1`);
    const { data } = (await reply.json()) as { data: { seo_title: string }[] };
    if (data[0]) return `/report/${data[0].seo_title}`;
  }
}

async function call<T>(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as { data: T }).data;
}
