/** `npm run reactions:release -- --send|--drop`: lets mails go out again after a restore. */
import { reactionsReleaseCommand } from "#services/projector/cli/reactions-release.command.ts";
import { runOnProjectorStores } from "./with-stores.ts";

await runOnProjectorStores(reactionsReleaseCommand);
