import { keyStoreContract } from "../keys/contract-suite.ts";
import { createMemoryKeyStore } from "./memory-key-store.ts";

keyStoreContract("memory", async () => createMemoryKeyStore());
