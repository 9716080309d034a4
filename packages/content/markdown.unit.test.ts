import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "./text-values.ts";

describe("the Markdown renderer", () => {
  it("renders headings with anchors, lists, tables and links", () => {
    expect(renderMarkdown("## 4. Your rights & more")).toBe(
      '<h2 id="your-rights-more">4. Your rights &amp; more</h2>\n',
    );
    expect(renderMarkdown("- [a](/terms#x)\n- [b](mailto:a@b.test)")).toContain(
      '<a href="/terms#x">a</a>',
    );
    expect(renderMarkdown("|a|b|\n|-|-|\n|1|2|")).toContain("<td>2</td>");
  });

  it("aligns table cells without a style attribute, which the pages' CSP blocks", () => {
    const html = renderMarkdown("|a|b|c|\n|-|:-:|-:|\n|1|2|$3.00|");
    expect(html).toContain('<th align="center">b</th>');
    expect(html).toContain('<td align="right">$3.00</td>');
    expect(html).toContain("<td>1</td>");
    expect(html).not.toContain("style");
  });

  it("makes tables scrollable, including by keyboard", () => {
    expect(renderMarkdown("|a|\n|-|\n|1|")).toMatch(
      /^<div role="group" aria-label="Table" tabindex="0">\n<table>[\s\S]*<\/table>\n<\/div>\n$/,
    );
  });

  it("shows HTML as text", () => {
    expect(renderMarkdown('<script>alert(1)</script> <b onclick="x">b</b>')).toBe(
      "<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>\n",
    );
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "//evil.test",
    "ftp://evil.test",
    "relative",
  ])("doesn't link to %s", (url) => {
    expect(renderMarkdown(`[a](${url})`)).not.toMatch(/<a\b/);
    expect(renderMarkdown(`[a][1]\n\n[1]: ${url}`)).not.toMatch(/<a\b/);
  });

  it("renders an empty link without an href", () => {
    expect(renderMarkdown("[a]()")).toBe("<p><a>a</a></p>\n");
  });

  it("keeps a link with a backslash within the site", () => {
    expect(renderMarkdown("[a](/\\evil.test)")).toBe('<p><a href="/%5Cevil.test">a</a></p>\n');
  });

  it("shows a picture's alt text and loads no picture", () => {
    expect(renderMarkdown("![A <b>cat</b> & _dog_](https://evil.test/a.png)!")).toBe(
      "<p>A &lt;b&gt;cat&lt;/b&gt; &amp; dog!</p>\n",
    );
    expect(renderMarkdown("[![cat](/a.png)](/blog)")).toBe('<p><a href="/blog">cat</a></p>\n');
  });

  it("never renders an event handler, a style, or another kind of link, whatever the text", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "<",
        ">",
        "](",
        "[",
        "javascript:",
        "`",
        "\n",
        "#",
        "> ",
        "<img src=x ",
        "|",
        "|a|b|\n|-:|:-:|\n",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const html = renderMarkdown(pieces.join(""));
        for (const [tag] of html.matchAll(/<[a-z][^>]*>/g)) {
          expect(tag).not.toMatch(/^<(?:script|img|iframe|style|svg)\b/);
          expect(tag).not.toMatch(/\s(?:on\w+|style)=/);
        }
        for (const [, href = ""] of html.matchAll(/ href="([^"]*)"/g)) {
          expect(href).toMatch(/^(?:https?:\/\/|mailto:|#|\/(?!\/))/i);
        }
      }),
    );
  });
});
