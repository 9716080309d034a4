/** The rebuild failed, and the live tables are unchanged. */
export class RebuildFailed extends Error {
  override readonly name: string = "RebuildFailed";
}

/** Another process is rebuilding the same tables. */
export class RebuildRuns extends RebuildFailed {
  override readonly name = "RebuildRuns";
}
