import { use } from "react";
import { useSiteConfig } from "../config/site-config.tsx";
import { type PageFacts, PageFactsContext } from "./page-facts.ts";

/**
 * A page's title, description and canonical URL. React moves them into the document's head; the server adds what
 * only crawlers read.
 */
export function PageHead(props: PageFacts) {
  const { productName, publicUrl } = useSiteConfig();
  use(PageFactsContext)?.(props);
  const title = props.title === productName ? productName : `${props.title} | ${productName}`;
  const canonical = props.path === undefined ? undefined : publicUrl + props.path;
  return (
    <>
      <title>{title}</title>
      {props.description && <meta name="description" content={props.description} />}
      {canonical ? (
        <link rel="canonical" href={canonical} />
      ) : (
        <meta name="robots" content="noindex" />
      )}
    </>
  );
}
