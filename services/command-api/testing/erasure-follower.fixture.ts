import { ErasureFollower } from "../housekeeping/erasure-follower.ts";
import type { Fixture } from "./command-api.fixture.ts";

const NO_FILES = { erase: async () => undefined, eraseOf: async () => undefined };

/** Follows the erasures in the fixture's log. Deletes files only if `removal` is given. */
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
