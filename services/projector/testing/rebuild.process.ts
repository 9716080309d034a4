/** A rebuild of everything in a separate process, in small chunks. */
import { createLogger } from "#runtime/log.ts";
import { openProjectorStores } from "../composition.ts";
import { readProjectorConfig } from "../config.ts";
import { rebuild } from "../rebuild.ts";

const log = createLogger({ name: "rebuild" });
const stores = await openProjectorStores(readProjectorConfig(), log);
const rebuildable = stores.projections.filter((projection) => projection.rebuild);
await rebuild({ ...stores, log, batchSize: 10 }, rebuildable);
await stores.close();
