/** Name of the stream of a kind's templates: `template-two-factor-on`. A kind of mail is a code. */
export function templateStream(kind: string): string {
  return `template-${kind.replaceAll("_", "-")}`;
}

/** Kind of mail whose templates the stream holds; undefined for any other stream. */
export function kindOfTemplates(stream: string): string | undefined {
  return /^template-(.+)$/.exec(stream)?.[1]?.replaceAll("-", "_");
}
