/** The name of a file that comes as a download (RFC 6266, `filename*`); undefined where none is said. */
export function fileNameOf(headers: Headers): string | undefined {
  const said = headers.get("content-disposition") ?? "";
  const name = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(said)?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
