/** `npm run reactions:release -- --send|--drop`: lets emails go out again after a restore. */
import { reactionsReleaseCommand } from "#services/projector/cli/operator.ts";
import { runOnProjectorStores } from "./with-stores.ts";

await runOnProjectorStores(reactionsReleaseCommand);
