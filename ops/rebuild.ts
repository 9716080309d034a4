/** `npm run rebuild -- <processor>...|all`: builds read models beside the live ones. */
import { rebuildCommand } from "#services/projector/cli/operator.ts";
import { runOnProjectorStores } from "./with-stores.ts";

await runOnProjectorStores(rebuildCommand);
