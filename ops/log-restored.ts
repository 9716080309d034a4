/** `npm run log:restored`: run it after restoring a backup of the log, before the services start. */

import { takesNoArguments } from "#runtime/lifecycle/usage.ts";
import { runAfterRestore } from "#services/projector/cli/operator.ts";
import { operatorContext, runOnCommandSide } from "./with-stores.ts";

takesNoArguments("log:restored");
await runOnCommandSide(async (api, context) => {
  if (context.isRunning) {
    console.error("The registry is running: stop it, run this, and start it again.");
    return 1;
  }
  const now = new Date();
  await api.log.execute({ type: "RestoreLog" }, now.toISOString());
  await api.credentials.relayAgain(now.getTime());
  await api.sessionEnds.all(now.toISOString());
  console.log("The log has a new epoch. All sessions are ended.");
  return runAfterRestore(await operatorContext(context));
});
