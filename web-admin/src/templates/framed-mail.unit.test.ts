import { expect, it } from "vitest";
import { layOut } from "#mail-templates/layout.ts";
import { framedMail } from "./Preview.tsx";

const { html } = layOut(
  {
    subject: "News",
    rendered: {
      text: "",
      html: '<p>Say &quot; style=&quot;color:red&quot; and <a href="https://r.example/x">go</a></p>',
    },
    paragraphs: [],
    action: { label: "Open", url: "https://r.example/" },
  },
  { productName: "The Registry", supportEmail: "help@r.example" },
);

it("a framed email keeps its styles, in a style sheet that the console's policy allows", () => {
  const framed = framedMail(html, "abc+/=");
  expect(html).toContain(' style="');
  expect(framed).not.toContain(' style="');
  const sheet = /<style nonce="abc\+\/=">([^<]*)<\/style><\/head>/.exec(framed)?.[1];
  expect(sheet).toContain('[data-style="0"]{font:16px/24px Arial,sans-serif;');
  expect(framed).toContain('<body data-style="0">');
  expect(sheet?.match(/background:#12355b/g)).toHaveLength(1);
});

it("a framed email has no working links, and its text is unchanged", () => {
  const framed = framedMail(html, undefined);
  expect(framed).not.toContain("href=");
  expect(framed).toContain("<a data-link>go</a>");
  expect(framed).toContain("Say &quot; style=&quot;color:red&quot; and");
});
