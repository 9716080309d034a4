/** The parts of an S3 URL. */
export interface S3Address {
  /** Origin of the server. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Prepended to every ID; ends in a slash unless empty. */
  readonly prefix: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const REGION = "us-east-1";

/**
 * Parses `s3://key:secret@host[:port]/bucket[/prefix][?region=...&tls=false]`. Every server is addressed by host,
 * Amazon's by its regional one (`s3.eu-central-1.amazonaws.com`).
 * @returns undefined if something is missing or invalid.
 */
export function readS3Url(text: string): S3Address | undefined {
  if (!URL.canParse(text)) return undefined;
  const { host, username, password, pathname, searchParams } = new URL(text);
  const [, bucket, folder = ""] =
    /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]{1,200}?))?\/?$/.exec(pathname) ?? [];
  const tls = searchParams.get("tls") ?? "true";
  const region = searchParams.get("region") ?? REGION;
  if (!host || !username || !password || !bucket) return undefined;
  if (!/^(true|false)$/.test(tls) || !/^[a-z0-9-]{1,40}$/.test(region)) return undefined;
  return {
    endpoint: `${tls === "true" ? "https" : "http"}://${host}`,
    region,
    bucket,
    prefix: folder && `${folder}/`,
    credentials: {
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    },
  };
}
