import { ConfigInvalid, type Environment, readSecretFiles } from "#runtime/config/load-config.ts";
import { listOf } from "#runtime/config/value-problems.ts";
import type { MasterKeySource } from "./master-ring.ts";
import { parseMasterKey } from "./wrapping.ts";

/**
 * The master keys of an environment, the wanted one first. If they are in a file, it is read again
 * on each call, so that a running process follows a rotation.
 * @throws {ConfigInvalid} which does not repeat the value.
 */
export function masterKeysOf(env: Environment): MasterKeySource {
  const read = () => {
    const { values, problems } = readSecretFiles(env, ["MASTER_KEY"]);
    if (problems.size > 0) throw new ConfigInvalid([...problems.values()]);
    try {
      const [first = "", ...others] = listOf(values.MASTER_KEY);
      return [first, ...others].map(parseMasterKey);
    } catch (error) {
      throw new ConfigInvalid([`MASTER_KEY is not valid: ${(error as Error).message}`]);
    }
  };
  const keys = read();
  return env.MASTER_KEY_FILE?.trim() ? read : keys;
}
