import { ErasureFollower } from "../housekeeping/erasure-follower.ts";
import type { Fixture } from "./command-api.fixture.ts";

const NO_FILES = { erase: async () => undefined, eraseOf: async () => undefined };

/** Follows the erasures of the fixture's log; of files only where it is told how. */
export function erasureFollower(
  { api }: Pick<Fixture, "api">,
  removal: ConstructorParameters<typeof ErasureFollower>[0]["removal"] = NO_FILES,
): ErasureFollower {
  const { store, keys, accountEraser: eraser, credentials, inquiries } = api;
  const views = { forget: async () => undefined };
  const hidings = { complete: async () => undefined };
  return new ErasureFollower({
    store,
    keys,
    eraser,
    credentials,
    views,
    removal,
    hidings,
    inquiries,
  });
}
