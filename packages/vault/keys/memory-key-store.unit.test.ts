import { keyStoreContract } from "./contract-suite.ts";
import { createMemoryKeyStore } from "./memory-key-store.ts";

keyStoreContract("memory", async () => createMemoryKeyStore());
