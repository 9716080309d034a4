import { expect, it } from "vitest";
import { ADMIN_TEMPLATES, type TemplateItem } from "#contracts/http/admin-templates.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";
import { submit } from "./support/reports.ts";
import { mailsIn } from "./support/traces.ts";

const system = forFile(() => startSystem());

const waits = { timeout: 30_000 };
const mails = () => mailsIn(system.mailFolder);

async function send(method: "POST" | "PUT", path: string, body: object) {
  const reply = await system.call(method, ADMIN_TEMPLATES + path, { as: "admin", body });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data;
}
async function listed(): Promise<readonly TemplateItem[]> {
  const reply = await system.call("GET", ADMIN_TEMPLATES, { as: "admin" });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data.filter(({ kind }: TemplateItem) => kind === "verification");
}
const usage = async (id: string) => (await listed()).find((item) => item.id === id)?.usage;

it("a template is tested, used for emails once active, counted, and deactivated again", async () => {
  expect(await listed()).toMatchObject([{ id: "shipped", status: "active", type: "report" }]);
  const { id } = await send("POST", "/verification", { name: "Friendlier" });
  const source = { subject: "Zebra subject", body: "Zebra words at {{ product_name }}" };
  await send("PUT", `/verification/${id}`, { revision: 0, name: "Friendlier", ...source });
  await send("POST", `/verification/${id}/test`, { revision: 1 });
  await expect.poll(mails, waits).toContain("Test: Zebra subject");
  expect(await mails()).toContain("Zebra words at The Registry");

  await send("POST", `/verification/${id}/activate`, { revision: 1 });
  await expect.poll(mails, waits).toContain("An email template was changed at The Registry");
  await submit(system);
  await expect.poll(() => usage(id), waits).toBe(1);
  expect(await mails()).toMatch(/^Subject: Zebra subject/m);
  expect(await listed()).toMatchObject([
    { id: "shipped", status: "inactive" },
    {
      id,
      name: "Friendlier",
      status: "active",
      subject: "Zebra subject",
      author: expect.any(String),
    },
  ]);

  const shipped = (await usage("shipped")) ?? 0;
  await send("POST", `/verification/${id}/deactivate`, { revision: 3 });
  await submit(system);
  await expect.poll(() => usage("shipped"), waits).toBe(shipped + 1);
  expect(await usage(id)).toBe(1);

  const url = `${ADMIN_TEMPLATES}/verification/${id}`;
  const record = (await system.call("GET", url, { as: "admin" })).json().data;
  expect(record.history.map(({ type }: { type: string }) => type)).toEqual([
    "TemplateCreated",
    "TemplateEdited",
    "TemplateTested",
    "TemplateActivated",
    "TemplateDeactivated",
  ]);
  const version = await system.call("GET", `${url}/versions/1`, { as: "admin" });
  expect(version.json().data).toEqual({ name: "Friendlier", ...source });
}, 90_000);
