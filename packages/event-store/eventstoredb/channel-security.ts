import { isIP } from "node:net";
import { checkServerIdentity } from "node:tls";
import { type ChannelCredentials, type ChannelOptions, credentials } from "@grpc/grpc-js";
import type { ConnectionString } from "./connection-string.ts";

/** How a connection to one node is protected. */
export interface ChannelSecurity {
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/**
 * Sent to a node that is known by an address alone, as TLS names hosts only (RFC 6066, 3). gRPC sends the
 * address, which Node.js refuses. The top-level domain belongs to nobody (RFC 6761).
 */
const NO_NAME = "address.invalid";

/**
 * @returns how to connect to a node whose certificate must have a name or an address.
 */
export function channelSecurity({
  insecure,
  rootCertificate,
  userKeyFile,
  userCertFile,
}: ConnectionString["certificates"]): (certified: string) => ChannelSecurity {
  if (insecure) return () => ({ credentials: credentials.createInsecure(), options: {} });
  return (certified) => {
    const isAddress = isIP(certified) !== 0;
    return {
      credentials: credentials.createSsl(rootCertificate, userKeyFile, userCertFile, {
        checkServerIdentity: (_, certificate) => checkServerIdentity(certified, certificate),
      }),
      options: { "grpc.ssl_target_name_override": isAddress ? NO_NAME : certified },
    };
  };
}
