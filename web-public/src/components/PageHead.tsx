import { useSiteConfig } from "../config/site-config.tsx";

/**
 * Title, description and canonical address of a page. React moves them into the document's head.
 *
 * @param path of the canonical address. Without it the page tells search engines not to index it.
 */
export function PageHead(props: { title: string; description?: string; path?: string }) {
  const { productName, publicUrl } = useSiteConfig();
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
