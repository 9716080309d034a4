import { expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { type Role, startSystem } from "./support/in-process.ts";
import { submit } from "./support/reports.ts";

const system = forFile(() => startSystem());

const one = (id: string) => `/prod/api/admin/reports/${id}`;

async function command(id: string, name: string, body: object = {}) {
  const answer = await system.call("POST", `${one(id)}/${name}`, { body, as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
}
const read = async (url: string, as: Role = "visitor") => {
  const answer = await system.read(url, as);
  return { status: answer.statusCode, body: answer.body };
};

it("a report whose approval is undone leaves the site as a rejected one does, and comes back at its address", async () => {
  const [id, rejected] = [await submit(system), await submit(system)];
  for (const each of [id, rejected]) {
    await command(each, "verify");
    await command(each, "approve");
  }
  const slugOf = async (of: string) =>
    JSON.parse((await read(one(of), "admin")).body).data.seo_title as string;
  const [slug, other] = [await slugOf(id), await slugOf(rejected)];
  const page = `/prod/api/reports/${slug}`;
  expect((await read(page)).status).toBe(200);
  expect((await read("/prod/api/reports/recent")).body).toContain(slug);

  await command(id, "undo");
  // A change of what is decided is undone alike.
  await command(rejected, "reject", { reason: "No proof" });
  await command(rejected, "undo");
  expect(await slugOf(rejected)).toBe(other);
  expect((await read(`/prod/api/reports/${other}`)).status).toBe(200);
  await command(rejected, "reject", { reason: "No proof" });
  await command(rejected, "approve");
  await command(rejected, "undo");
  const again = JSON.parse((await read(one(rejected), "admin")).body).data;
  expect(again).toMatchObject({ status: "rejected", rejection_reason: "No proof" });
  const undone = await read(page);
  const { status } = await read(`/prod/api/reports/${other}`);
  expect(undone.status).toBe(status);
  expect(undone.status).toBeGreaterThanOrEqual(404);
  for (const url of [
    "/prod/api/reports/recent",
    "/prod/api/reports/search?q=",
    "/prod/api/sitemap/reports",
  ])
    expect([url, (await read(url)).body.includes(slug)]).toEqual([url, false]);
  const report = JSON.parse((await read(one(id), "admin")).body).data;
  expect(report).toMatchObject({ status: "pending", verified: true });

  await command(id, "approve");
  expect(await slugOf(id)).toBe(slug);
  expect((await read(page)).status).toBe(200);
  const mailsOf = async (of: string) => {
    const { rows } = await system.db.query(
      "select kind from outbox.mail where report_id = $1 and kind <> 'verification' order by position",
      [of],
    );
    return rows.map(({ kind }) => kind);
  };
  expect(await mailsOf(id)).toEqual(["approved", "approved"]);
  // What takes a decision back asks again for the email of the one before, which had not gone out.
  const pair = ["approved", "rejected"];
  expect(await mailsOf(rejected)).toEqual([...pair, ...pair, ...pair]);
});
