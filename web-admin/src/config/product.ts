/** Name of the registry, as the server wrote it into the page. */
export const productName =
  document.querySelector<HTMLMetaElement>('meta[name="product-name"]')?.content ?? "";
