/**
 * The HTML of an email for a frame of the console. The console's policy lets no style through that has not the
 * nonce of its page, so the styles of the email's elements move into a sheet that has it. Its links lead nowhere:
 * one that was pressed would replace the preview.
 * @param html as the server lays it out: quotation marks in its text are escaped, so each attribute is one.
 */
export function framedMail(html: string, nonce: string | undefined): string {
  const rules: string[] = [];
  const inert = html
    .replace(/ style="([^"<>]*)"/g, (_, style: string) => {
      rules.push(`[data-style="${rules.length}"]{${style}}`);
      return ` data-style="${rules.length - 1}"`;
    })
    .replace(/<a( [^>]*)? href="[^"]*"/g, "<a$1 data-link");
  const sheet = [
    "body{margin:16px;overflow-wrap:anywhere}",
    "a[data-link]{text-decoration:underline}",
    ...rules,
  ].join("\n");
  const style = `<style${nonce ? ` nonce="${nonce}"` : ""}>\n${sheet}\n</style>`;
  return inert.replace("</head>", () => `${style}</head>`);
}
