import { renderToStaticMarkup } from "react-dom/server";
import type { PageFacts } from "../../src/components/page-facts.ts";
import { paths } from "../../src/config/paths.ts";
import type { SiteConfig } from "../../src/config/site-config.tsx";
import { inertJson } from "../../src/layout/Document.tsx";

const PICTURE = { width: 1200, height: 630 } as const;

/**
 * Renders the tags that only crawlers read: Open Graph (ogp.me) and JSON-LD (schema.org). A page without a
 * canonical URL has none. The picture and its description name no one.
 */
export function headTags(
  facts: PageFacts,
  { productName, publicUrl }: SiteConfig,
  nonce: string,
): string {
  if (facts.path === undefined) return "";
  const picture = publicUrl + (facts.picture ?? "/picture.png");
  const properties: readonly (readonly [string, string | undefined])[] = [
    ["og:type", "website"],
    ["og:site_name", productName],
    ["og:title", facts.title],
    ["og:description", facts.description],
    ["og:url", publicUrl + facts.path],
    ["og:locale", "en_US"],
    ["og:image", picture],
    ["og:image:type", "image/png"],
    ["og:image:width", String(PICTURE.width)],
    ["og:image:height", String(PICTURE.height)],
    ["og:image:alt", `${productName}: reported, not independently verified`],
  ];
  return renderToStaticMarkup(
    <>
      {properties.map(
        ([property, content]) =>
          content && <meta key={property} property={property} content={content} />,
      )}
      <meta name="twitter:card" content="summary_large_image" />
      <script
        type="application/ld+json"
        nonce={nonce}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that holds no "<".
        dangerouslySetInnerHTML={{ __html: inertJson(pageData(facts, publicUrl)) }}
      />
    </>,
  );
}

/** The page and its place on the site. Makes no claim and gives no rating: a report is one party's account. */
function pageData(facts: PageFacts, publicUrl: string) {
  const url = publicUrl + facts.path;
  const name = facts.name ?? facts.title;
  const above = [["Home", paths.home] as const, ...(facts.above ?? [])];
  const trail = facts.path === paths.home ? [] : [...above, [name, facts.path] as const];
  const breadcrumb = {
    "@type": "BreadcrumbList",
    itemListElement: trail.map(([crumb, path], n) => ({
      "@type": "ListItem",
      position: n + 1,
      name: crumb,
      item: publicUrl + path,
    })),
  };
  return {
    "@context": "https://schema.org",
    "@type": "WebPage",
    "@id": url,
    url,
    name,
    description: facts.description,
    inLanguage: "en",
    ...(trail.length > 0 ? { breadcrumb } : {}),
  };
}
