import { type RenderRequest, render } from "../server/render.tsx";
import type { SiteConfig } from "../src/config/site-config.tsx";
import { type Answer, fakeRegistry } from "./fake-registry.ts";

/** Configuration of the rendered site. */
export const CONFIG: SiteConfig = {
  productName: "Chargeback Registry",
  supportEmail: "support@registry.test",
  publicUrl: "https://registry.test",
  samples: false,
  pages: [],
  maxFileSize: 10,
  theme: "system",
  stylesheets: ["/assets/style.css"],
};

/**
 * Renders a page as the server does. Returns it with the calls made to the registry.
 * @param answers of the fake registry, by method and path.
 */
export async function get(
  url: string,
  answers: Readonly<Record<string, Answer>> = {},
  change: Partial<RenderRequest> = {},
) {
  const registry = fakeRegistry(answers);
  const errors: unknown[] = [];
  const faults: unknown[] = [];
  const rendered = await render({
    url,
    cookies: undefined,
    visitorAddress: "203.0.113.7",
    signal: new AbortController().signal,
    config: CONFIG,
    files: {
      entry: "/assets/entry.js",
      imports: ["/assets/router.js"],
      fonts: ["/assets/inter.woff2"],
      pageModules: (source) => [`/assets/${source.split("/").at(-1)}.js`],
    },
    nonce: "n0nce",
    queryUrl: "http://query.test",
    timeoutMs: 1000,
    fetch: registry.fetch,
    onFault: (fault) => faults.push(fault),
    onError: (error) => errors.push(error),
    ...change,
  });
  const page = rendered.kind === "page" ? rendered : undefined;
  const html = page?.html ?? "";
  // React separates adjacent texts with comments.
  const text = html.replaceAll("<!-- -->", "");
  return {
    rendered,
    status: rendered.status,
    html: text,
    headers: page?.headers ?? {},
    errors,
    faults,
    calls: registry.calls,
  };
}
