/** `npm run admin:reset`: sets a new password for the admin, and turns off the second factor. */
import { resetAdmin } from "#launcher/first-admin.ts";
import { takesNoArguments } from "#runtime/lifecycle/usage.ts";
import { runOnCommandSide } from "./with-stores.ts";

takesNoArguments("admin:reset");
await runOnCommandSide(async (api, { instance, hasDataFolder }) => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = instance.config.variables;
  const notes = await resetAdmin(api, {
    file: hasDataFolder ? instance.paths.firstAdmin : undefined,
    email: email?.trim() || undefined,
    password: password || undefined,
  });
  if (notes.length === 0) {
    console.error("Account not found. `npm start` creates the first admin.");
    return 1;
  }
  for (const note of notes) console.log(note);
  return 0;
});
