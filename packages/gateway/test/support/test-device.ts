import { generateKeyPairSync, sign } from "node:crypto";
import type { ConnectParams } from "@openclaw/protocol";
import { deviceStatement } from "@openclaw/protocol/device";
import type { ResponseFrame, WireClient } from "./wire-client.js";

/** Device of a test, which speaks the wire itself. */
export interface TestDevice {
  readonly publicKey: string;
  readonly name: string;
  /** Signs any bytes. */
  sign(statement: Uint8Array): Uint8Array;
  /** Asks for the challenge of a connection. */
  challenge(client: WireClient): Promise<string>;
  /** Answers a challenge; fields of the answer can be replaced. */
  answer(
    client: WireClient,
    challenge: string,
    changes?: { host?: string; publicKey?: string; challenge?: string },
  ): Promise<ResponseFrame>;
  /** Asks for a challenge and answers it. */
  connect(client: WireClient): Promise<ResponseFrame>;
}

/** Creates a device with a new key. */
export function testDevice(name = "phone"): TestDevice {
  const { publicKey: key, privateKey } = generateKeyPairSync("ed25519");
  const { x: publicKey = "" } = key.export({ format: "jwk" });
  const signed = (statement: Uint8Array) => sign(null, statement, privateKey);
  const device: TestDevice = {
    publicKey,
    name,
    sign: signed,
    async challenge(client) {
      return (await client.call("device.challenge", { publicKey, name })).challenge;
    },
    async answer(client, challenge, { host = new URL(client.socket.url).host, ...changes } = {}) {
      const proof = { publicKey, challenge, ...changes };
      const statement = deviceStatement({ host, publicKey, challenge });
      const signature = signed(Buffer.from(statement)).toString("base64url");
      const params: ConnectParams = {
        ...{ minProtocol: 1, maxProtocol: 1 },
        client: { id: "test", version: "1.0.0", mode: "node" },
        auth: { device: { ...proof, signature } },
      };
      return client.request("connect", params);
    },
    async connect(client) {
      return device.answer(client, await device.challenge(client));
    },
  };
  return device;
}
