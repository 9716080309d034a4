/** What everybody can see of a registry: replies of its API, and its pages. */
export interface PublicAnswers {
  /** By path and query. */
  readonly api: Readonly<Record<string, { readonly status: number; readonly body: unknown }>>;
  readonly pages: Readonly<Record<string, PublicPage>>;
}

/** A page as text, without its markup. */
export interface PublicPage {
  readonly status: number;
  readonly title: string;
  readonly canonical: string;
  readonly robots: string;
  /** The words and digits of its main part; of a list of reports, those of the list. */
  readonly text: string;
}

/** Searches that use each way of matching and each filter. */
const SEARCHES = [
  "q=marcus+hale",
  "q=hale",
  "q=markus+hail",
  "q=jane",
  "q=tomas+vega",
  "q=%C5%82ukasz",
  "q=lukasz+zolc",
  "q=%D0%98%D0%B2%D0%B0%D0%BD%D0%BE%D0%B2%D0%B0",
  "q=denver&sort=amount_high",
  "q=returned",
  "q=marcus.hale%40mail.example",
  "q=nora+quill",
  "q=ivo+krall",
  "state=NV",
  "min=100&max=450",
  "reason=Fraud",
  "q=",
];

/**
 * Reads everything that a visitor may read of a registry with these addresses, one after the other.
 * @param url of the registry, without a trailing slash.
 */
export async function readPublicAnswers(
  url: string,
  slugs: readonly string[],
): Promise<PublicAnswers> {
  const api: Record<string, { status: number; body: unknown }> = {};
  const pages: Record<string, PublicPage> = {};
  const searches = SEARCHES.map((query) => `search?${query}`);
  const lists = [
    "reports/recent",
    "habitual-offenders",
    ...searches.map((at) => `reports/${at}&size=50`),
  ];
  for (const path of [...lists, ...slugs.map((slug) => `reports/${slug}`)]) {
    const answer = await fetch(`${url}/prod/api/${path}`);
    api[path] = { status: answer.status, body: await answer.json() };
  }
  for (const path of ["", ...searches.slice(0, 3), ...slugs.map((slug) => `report/${slug}`)]) {
    const answer = await fetch(`${url}/${path}`);
    pages[`/${path}`] = readPage(answer.status, await answer.text());
  }
  return { api, pages };
}

function readPage(status: number, html: string): PublicPage {
  const attribute = (pattern: RegExp) => pattern.exec(html)?.[1] ?? "";
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? "";
  // Of a page with a list of reports, the list: what stands around it may change with any version.
  const list = /<section aria-labelledby="(?:newest|results)".*?<\/section>/s.exec(main)?.[0];
  return {
    status,
    title: plain(attribute(/<title>([^<]*)<\/title>/)),
    canonical: attribute(/<link rel="canonical" href="([^"]*)"/),
    robots: attribute(/<meta name="robots" content="([^"]*)"/),
    text: plain(list ?? main),
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#x27": "'",
};

function plain(html: string): string {
  return html
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => ENTITIES[name] as string)
    .replace(/\s+/g, " ")
    .trim();
}
