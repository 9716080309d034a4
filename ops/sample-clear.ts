/** `npm run sample:clear`: deletes the sample reports, as moderators would. */
import { clearSamples, sampleTarget } from "#launcher/samples/load-samples.ts";
import { takesNoArguments } from "#runtime/lifecycle/usage.ts";
import { runOnCommandSide } from "./with-stores.ts";

takesNoArguments("sample:clear");
await runOnCommandSide(async (api) => {
  const removed = await clearSamples(sampleTarget(api));
  console.log(`${removed} sample report${removed === 1 ? "" : "s"} removed.`);
  return 0;
});
