/** The rebuild was given up; the live tables are as they were. */
export class RebuildFailed extends Error {
  override readonly name: string = "RebuildFailed";
}

/** Another process rebuilds the same tables now. */
export class RebuildRuns extends RebuildFailed {
  override readonly name = "RebuildRuns";
}
