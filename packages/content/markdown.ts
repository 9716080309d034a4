import MarkdownIt from "markdown-it";

/** http and https, mail addresses, pages of the site and anchors of the page. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i;

/** Text of a heading as an anchor, without its number: "4. Your rights" becomes `your-rights`. */
function anchorOf(heading: string): string {
  const words = heading
    .toLowerCase()
    .replace(/^[\d.\s]+/, "")
    .match(/[a-z0-9]+/g);
  return words?.join("-") ?? "";
}

/** `text-align:right`, as the library writes it into `style`, as `right`. */
const alignmentIn = (style: unknown) => /text-align:(\w+)/.exec(String(style))?.[1];

function createRenderer() {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  // The policy of the site's pages allows no pictures from elsewhere: their words stand in their place.
  markdown.renderer.rules.image = (tokens, index, options, env, self) =>
    markdown.utils.escapeHtml(self.renderInlineAsText(tokens[index]?.children ?? [], options, env));
  markdown.validateLink = (url) => SAFE_LINK.test(url.trim());
  // A link to nothing would lead to the page that it is on.
  markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    if (token?.attrGet("href") === "") token.attrs = null;
    return self.renderToken(tokens, index, options);
  };
  markdown.renderer.rules.heading_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const anchor = anchorOf(tokens[index + 1]?.content ?? "");
    if (anchor) token?.attrSet("id", anchor);
    return self.renderToken(tokens, index, options);
  };
  for (const cell of ["th_open", "td_open"])
    markdown.renderer.rules[cell] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      const alignment = alignmentIn(token?.attrGet("style"));
      // The policy of the site's pages allows no styles in attributes.
      if (token && alignment) token.attrs = [["align", alignment]];
      return self.renderToken(tokens, index, options);
    };
  // Scrolls where it is wider than a phone, also by keys.
  markdown.renderer.rules.table_open = () =>
    '<div role="group" aria-label="Table" tabindex="0">\n<table>\n';
  markdown.renderer.rules.table_close = () => "</table>\n</div>\n";
  return markdown;
}

const renderer = createRenderer();

/**
 * Markdown (CommonMark with tables) as HTML. HTML in the text is shown as text, links lead only to
 * {@link SAFE_LINK}, and of a picture only its words are shown. Headings get an `id`.
 */
export function renderMarkdown(text: string): string {
  return renderer.render(text);
}
