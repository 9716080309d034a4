/** The rebuild was given up; the live tables are as they were. */
export class RebuildFailed extends Error {
  override readonly name = "RebuildFailed";
}
