import { describe, expect, it } from "vitest";
import {
  isUserText,
  sampleValues,
  TEMPLATE_KINDS,
  templateKind,
} from "#contracts/mail/template-kinds.ts";
import { renderFixed, renderText, TemplateInvalid } from "./render-text.ts";
import { shippedTemplates } from "./shipped/shipped-templates.ts";

const values = sampleValues("rejected", "Registry");

function words(body: string, more: object = {}) {
  return renderText({ subject: "Hello", body }, { ...values, ...more });
}

function problemOf(source: { subject?: string; body?: string }, more: object = {}) {
  try {
    renderText({ subject: "Hello", body: "Hello", ...source }, { ...values, ...more });
  } catch (error) {
    if (error instanceof TemplateInvalid) return [error.field, error.message];
    throw error;
  }
  throw new Error("it was rendered");
}

describe("a template", () => {
  it("renders to both parts of an email", () => {
    expect(words("Hello {{ first_name }},\n\nsee **your** [page]({{ site_url }}/search).")).toEqual(
      {
        subject: "Hello",
        text: "Hello Rae,\n\nsee **your** [page](https://registry.example/search).",
        html: '<p>Hello Rae,</p>\n<p>see <strong>your</strong> <a href="https://registry.example/search">page</a>.</p>',
      },
    );
  });

  it("shows values literally, whatever they contain", () => {
    const title = '<b>*Bob*</b> [x](https://evil.example) `a` # "&amp;"';
    const { html, text } = words("Report {{ title }}", { title });
    expect(text).toBe(`Report ${title}`);
    expect(html).toBe(
      "<p>Report &lt;b&gt;*Bob*&lt;/b&gt; [x](https://evil.example) `a` # &quot;&amp;amp;&quot;</p>",
    );
  });

  it("keeps a value's line breaks without making paragraphs, lists or code", () => {
    const { html } = words("{{ reason }}", { reason: "One\r\n\r\n    two\n- three\n1. four\n===" });
    expect(html).toBe("<p>One<br>\ntwo<br>\n- three<br>\n1. four<br>\n===</p>");
  });

  it("leaves no gap for an empty paragraph", () => {
    const body = "One\n\n{% if reason != '' %}{{ reason }}{% endif %}\n\nTwo";
    expect(words(body, { reason: "" }).text).toBe("One\n\nTwo");
  });

  it.each([
    ["an unknown value", "{{ password }}", /undefined variable: password/],
    ["a prototype", "{{ first_name.constructor }}", /undefined variable/],
    ["the global object", "{{ globalThis.process.env }}", /undefined variable/],
    ["a prototype by a name", '{{ first_name["__proto__"] }}', /undefined variable/],
    ["a file", "{% include '/etc/passwd' %}", /tag "include" not found/],
    ["another template", "{% render 'approved' %}", /tag "render" not found/],
    ["a layout", "{% layout 'x' %}", /tag "layout" not found/],
    ["unescaped output", "{{ title | raw }}", /undefined filter: raw/],
    ["an unknown filter", "{{ title | inspect }}", /undefined filter: inspect/],
    ["no Liquid", "{% if %}", /.+/],
    [
      "a long list",
      "{% for a in (1..200001) %}{% endfor %}",
      /^It generates more than 200,000 characters/,
    ],
    [
      "long text",
      `{{ "${"x".repeat(50_000)}" | append: "" | append: "" | append: "" | append: "" | append: "x" }}`,
      /^It generates more than 200,000 characters/,
    ],
    ["nothing", "  \n ", /empty/],
  ])("is rejected with an explanation for %s", (_, body, sentence) => {
    const [field, message] = problemOf({ body });
    expect(field).toBe("body");
    expect(message).toMatch(sentence);
  });

  it.each([
    "[x](https://evil.example)",
    "[x](//evil.example/a)",
    "[x](/search)",
    "[x](javascript:alert(1))",
    "[x](mailto:a@evil.example)",
    "[x](https://registry.example.evil.example)",
    "[x](https://registry.example@evil.example)",
    "![x](https://evil.example/pixel.png)",
    "<https://evil.example>",
    "[x]\n\n[x]: https://evil.example",
    "See https://evil.example now",
    "See www.evil.example",
    'See http{{ "" }}s://evil.example',
    "[x]({{ title }})",
  ])("is rejected for an external link: %s", (body) => {
    const title = body.includes("title") ? "https://evil.example" : "Title";
    expect(problemOf({ body }, { title })[1]).toMatch(/Links must start with \{\{ site_url \}\}/);
  });

  it("shows HTML as text, so that it loads nothing", () => {
    const { html } = words('<img src="x"><script>alert(1)</script><style>p{}</style>');
    expect(html).not.toMatch(/<(?!\/?p>)/);
  });

  it("must have a subject of one line", () => {
    const breaks = '{{ "a" | append: "\\nBcc: eve@evil.example" }}';
    for (const subject of ["a\r\nBcc: eve@evil.example", breaks, "a\u2028b", "a\u0000b"])
      expect(problemOf({ subject })).toEqual(["subject", "The subject must be one line"]);
    const reason = "One\r\nBcc: eve@evil.example";
    expect(renderText({ subject: "{{ reason }}", body: "x" }, { ...values, reason }).subject).toBe(
      "One Bcc: eve@evil.example",
    );
    expect(problemOf({ subject: " " })).toEqual(["subject", "The subject is empty"]);
    expect(problemOf({ subject: "{{ title }}" }, { title: "x".repeat(301) })[0]).toBe("subject");
    expect(problemOf({ subject: "www.evil.example" })[0]).toBe("subject");
  });
});

describe("the shipped templates", () => {
  it.each(TEMPLATE_KINDS)(
    "render with all of the values that their kind declares, or with none: %s",
    (kind) => {
      const samples = sampleValues(kind, "Registry");
      const bare = Object.fromEntries(
        Object.entries(samples).map(([name, value]) => [
          name,
          isUserText(name as never) || name === "when" ? "" : value,
        ]),
      );
      for (const given of [samples, bare]) {
        const { subject, text, html } = renderText(shippedTemplates[kind], given);
        const { warning = "", action = "" } = renderFixed(kind, given);
        for (const part of [subject, text, html, warning, action]) {
          expect(part).not.toMatch(/[{}%]|undefined| {2}| ,| \./);
        }
      }
    },
  );

  it("contain no text from strangers if the address isn't confirmed", () => {
    for (const kind of [
      "verification",
      "account_confirmation",
      "account_invited",
      "email_change",
      "sign_in_link",
      "inquiry_received",
      "notice_received",
    ] as const)
      expect(templateKind(kind).variables.filter(isUserText), kind).toEqual([]);
  });
});
