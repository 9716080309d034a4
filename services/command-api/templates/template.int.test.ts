import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { ADMIN_TEMPLATES } from "#contracts/http/admin-templates.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());

const send = (
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body: object,
  options: { key?: string; as?: "user" | "admin" | "auditor" } = {},
) => fixture.call(method, ADMIN_TEMPLATES + path, { as: "admin", body, ...options });

async function begin(kind: TemplateKind, name = "Friendlier"): Promise<string> {
  const reply = await send("POST", `/${kind}`, { name });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data.id;
}
const eventsOf = (kind: TemplateKind) => fixture.events(streams.template(kind));
const text = { name: "Friendlier", subject: "Hello", body: "Canary-body" };
const loop = `{% for a in (1..9999) %}${"{% if a %}{% endif %}".repeat(4_000)}{% endfor %}`;

describe("an email template", () => {
  it("is stored encrypted, starts with the shipped text, and can be edited and activated", async () => {
    const id = await begin("approved");
    const edited = await send("PUT", `/approved/${id}`, { revision: 0, ...text });
    expect(edited.json().data).toEqual({ kind: "approved", id, status: "draft", revision: 1 });
    const activated = await send("POST", `/approved/${id}/activate`, { revision: 1 });
    expect(activated.json().data).toMatchObject({ status: "active", revision: 2 });
    const events = await eventsOf("approved");
    expect(events.map(({ type }) => type)).toEqual([
      "TemplateCreated",
      "TemplateEdited",
      "TemplateActivated",
    ]);
    expect(JSON.stringify(events)).not.toMatch(/canary|friendlier|now public/i);
    // Every admin is notified, whoever did it.
    expect(events[2]?.data.told).toHaveLength(1);
    expect((await send("DELETE", `/approved/${id}`, { revision: 2 })).json().error.code).toBe(
      "template_active",
    );
  });

  it("is created once, however often the request arrives", async () => {
    const key = randomUUID();
    const replies = await Promise.all(
      [1, 2, 3].map(() => send("POST", "/pending", { name: "Once" }, { key })),
    );
    const ids = replies.map((reply) => reply.json().data.id);
    expect(new Set(ids).size).toBe(1);
    expect(await eventsOf("pending")).toHaveLength(1);
    const again = await send("POST", "/pending", { name: "Once" }, { key });
    expect(again.json().data.id).toBe(ids[0]);
  });

  it("exists only for customizable kinds of email", async () => {
    for (const kind of ["inquiry_for_inbox", "template_changed", "constructor", "x"])
      expect((await send("POST", `/${kind}`, { name: "x" })).statusCode).toBe(400);
  });
});

describe("malicious templates", () => {
  it.each([
    ["an endless loop", { body: loop }, "body", /more than a second/],
    ["a foreign link", { body: "[x](https://evil.example)" }, "body", /Links must start with/],
    ["a value of another kind", { body: "{{ question }}" }, "body", /undefined variable: question/],
    ["too much", { body: "x".repeat(100_001) }, "body", /.+/],
    ["a line break in the subject", { subject: "a\r\nBcc: b" }, "subject", /.+/],
  ])(
    "are refused with a message, both in a preview and when saved: %s",
    async (_, change, field, sentence) => {
      const id = await begin("under_review");
      const words = { ...text, ...change };
      const { name, ...source } = words;
      const before = (await eventsOf("under_review")).length;
      for (const reply of [
        await send("POST", "/under_review/preview", source),
        await send("PUT", `/under_review/${id}`, { revision: before - 1, ...words }),
      ]) {
        expect(reply.statusCode).toBe(400);
        const { code, fields } = reply.json().error;
        expect(code).toBe("invalid_request");
        expect(fields[field]).toMatch(sentence);
      }
      expect(await eventsOf("under_review")).toHaveLength(before);
    },
  );

  it("of 10 MB are refused before they are read", async () => {
    const reply = await send("POST", "/approved/preview", {
      ...text,
      body: "x".repeat(10_000_000),
    });
    expect(reply.statusCode).toBe(413);
  });
});

describe("a preview", () => {
  it("shows an email as it would be sent, including the fixed parts", async () => {
    const reply = await send("POST", "/password_changed/preview", {
      subject: "Hello {{ first_name }}",
      body: "**New** at {{ product_name }}: <b>x</b>",
    });
    expect(reply.statusCode, reply.body).toBe(200);
    const { subject, text: plain, html } = reply.json().data;
    expect(subject).toBe("Hello Rae");
    expect(plain).toContain("**New** at The Registry");
    expect(html).toContain("<strong>New</strong> at The Registry: &lt;b&gt;x&lt;/b&gt;");
    for (const part of [plain, html]) {
      expect(part).toMatch(/If it wasn.+t you, set a new password right away/);
      expect(part).toMatch(/This wasn.+t me/);
      expect(part).toContain("support@registry.test");
    }
    expect(await eventsOf("password_changed")).toEqual([]);
  });
});
