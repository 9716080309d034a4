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

function createRenderer() {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  // The policy of the site's pages allows no pictures from elsewhere.
  markdown.disable("image");
  markdown.validateLink = (url) => SAFE_LINK.test(url.trim());
  markdown.renderer.rules.heading_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const anchor = anchorOf(tokens[index + 1]?.content ?? "");
    if (anchor) token?.attrSet("id", anchor);
    return self.renderToken(tokens, index, options);
  };
  return markdown;
}

const renderer = createRenderer();

/**
 * Markdown (CommonMark with tables) as HTML. HTML in the text is shown as text, links lead only to
 * {@link SAFE_LINK}, and pictures are not rendered. Headings get an `id`.
 */
export function renderMarkdown(text: string): string {
  return renderer.render(text);
}
