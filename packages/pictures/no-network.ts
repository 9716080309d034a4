/** Blocks network access. From version 25 on, Node's permission model does so itself. */
import dgram from "node:dgram";
import net from "node:net";

const refuse = (): never => {
  throw Object.assign(new Error("The process of a picture has no network."), {
    code: "ERR_ACCESS_DENIED",
  });
};
Object.assign(net.Socket.prototype, { connect: refuse });
Object.assign(net.Server.prototype, { listen: refuse });
Object.assign(dgram.Socket.prototype, { bind: refuse, connect: refuse, send: refuse });
