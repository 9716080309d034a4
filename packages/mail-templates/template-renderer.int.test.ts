import { afterAll, describe, expect, it } from "vitest";
import { sampleValues } from "#contracts/mail/template-kinds.ts";
import { TemplateRenderer } from "./template-renderer.ts";

const renderer = new TemplateRenderer();
const values = sampleValues("approved", "Registry");
afterAll(() => renderer.close());

const render = (body: string) => renderer.render({ subject: "Hello", body }, values);
const loop = (inner: string) =>
  `{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}${inner}{% endfor %}{% endfor %}{% endfor %}`;

describe("custom templates", () => {
  it("are rendered in a separate thread", async () => {
    expect((await render("Hello {{ first_name }}")).text).toBe("Hello Rae");
  });

  it.each([
    ["loops forever", loop("{% assign x = a %}")],
    [
      "fills the memory",
      "{% assign x = 'ab' %}{% for a in (1..99) %}{% assign x = x | append: x %}{% endfor %}",
    ],
    ["asks for a huge list", "{% for a in (1..999999999) %}x{% endfor %}"],
    ["writes without end", loop("xxxxxxxxxxxxxxxx")],
    [
      "computes for a long time without output",
      `{% for a in (1..9999) %}${"{% if a %}{% endif %}".repeat(4_000)}{% endfor %}`,
    ],
  ])("are stopped if one %s, and the next one is rendered", async (_, body) => {
    await expect(render(body)).rejects.toMatchObject({ name: "TemplateInvalid", field: "body" });
    expect((await render("Hello {{ first_name }}")).text).toBe("Hello Rae");
  });

  it("are rejected before parsing if one is 10 MB", async () => {
    await expect(render("x".repeat(10_000_000))).rejects.toMatchObject({
      message: "At most 100000 characters",
    });
  });

  it("are rendered in turn, and a bad one doesn't affect the others", async () => {
    const all = await Promise.allSettled([
      render("a"),
      render(loop("x")),
      render("b"),
      render("{{"),
    ]);
    expect(all.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
    ]);
  });
});
