/** `npm run reactions:release -- --send|--drop`: lets mails go out again after a restore. */
import { reactionsReleaseCommand } from "#services/projector/cli/reactions-release.command.ts";
import { runOnProjectorStores } from "./on-projector-stores.ts";

await runOnProjectorStores(reactionsReleaseCommand);
