/** `npm run parked [-- retry [processor] [stream]]`: events that could not be applied. */
import { parkedCommand } from "#services/projector/cli/operator.ts";
import { runOnProjectorStores } from "./with-stores.ts";

await runOnProjectorStores(parkedCommand);
