import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from "node:crypto";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { encryptPush } from "../../src/push/encryption.js";
import { startTestGateway } from "../support/gateway.js";

/** Message that a push service received. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Push service on this machine, with one browser that can read what it receives. */
async function fakePushService() {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = Buffer.alloc(16, 7);
  let status = 201;
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(status).end(() => {
        for (const each of waiting.splice(0)) each();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    host: `127.0.0.1:${port}`,
    received,
    respond(given: number) {
      status = given;
    },
    /** Resolves with the message of a number, from 0. */
    async message(index: number): Promise<Received> {
      for (;;) {
        const found = received[index];
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    subscription: {
      endpoint: `http://127.0.0.1:${port}/send/one`,
      keys: {
        p256dh: browser.getPublicKey().toString("base64url"),
        auth: auth.toString("base64url"),
      },
    },
    read: (body: Buffer) => decrypt(body, browser, auth),
  };
}

/** Decrypts a message as a browser does (RFC 8291). */
function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  const sender = body.subarray(21, 21 + length);
  const sealed = body.subarray(21 + length);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
  const input = Buffer.from(hkdfSync("sha256", browser.computeSecret(sender), auth, info, 32));
  const derive = (name: string, size: number) =>
    Buffer.from(hkdfSync("sha256", input, salt, `Content-Encoding: ${name}\0`, size));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  expect(padded.at(-1)).toBe(2);
  return padded.subarray(0, -1).toString("utf8");
}

async function gatewayFor(host: string) {
  const folder = temporaryFolder();
  const configuration = { tools: { http: { allowHosts: [host] } } };
  writeFileSync(join(folder.path, "openclaw.json"), JSON.stringify(configuration));
  const gateway = await startTestGateway(folder, { port: 0 });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  const methods = await gateway.methods();
  return { call: methods.call.bind(methods), file: gateway.state.pushFile };
}

describe("encryptPush", () => {
  it("[UI-500] encrypts the example of RFC 8291, appendix A, as the RFC has it", () => {
    const text = "When I grow up, I want to be a watermelon";
    const keys = {
      p256dh:
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    const secrets = {
      privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
      salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
    };
    expect(encryptPush(text, keys, secrets).toString("base64url")).toBe(
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    );
  });
});

describe("notifications of a gateway", () => {
  it("[UI-500] tell a subscribed browser of a request, encrypted, signed, and with its ID alone", async () => {
    const service = await fakePushService();
    const { call, file } = await gatewayFor(service.host);
    const { publicKey } = await call("push.key", {});
    await call("push.subscribe", service.subscription);
    await call("chat.send", { sessionKey: "main", text: "write hello.txt: a very private text" });
    const { headers, body } = await service.message(0);
    const { approvals } = await call("approvals.list", {});
    const [asked] = approvals;
    expect(JSON.parse(service.read(body))).toEqual({ approval: asked?.id });
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
    const [, token = "", key] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? "") ?? [];
    expect(key).toBe(publicKey);
    const [head, claims = "", signature = ""] = token.split(".");
    const point = Buffer.from(publicKey, "base64url");
    const jwk = {
      ...{ kty: "EC", crv: "P-256" },
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    };
    const isSigned = verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    expect(isSigned).toBe(true);
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
      aud: `http://${service.host}`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await call("push.list", {})).subscriptions).toHaveLength(1);
  });

  it("[UI-500] end when the browser or the push service ends them", async () => {
    const service = await fakePushService();
    const { call, file } = await gatewayFor(service.host);
    await call("push.subscribe", service.subscription);
    service.respond(410);
    await call("chat.send", { sessionKey: "main", text: "write hello.txt: Hello" });
    await service.message(0);
    await expect
      .poll(async () => (await call("push.list", {})).subscriptions, { timeout: 10_000 })
      .toEqual([]);
    await call("push.subscribe", service.subscription);
    const { endpoint } = service.subscription;
    expect(await call("push.unsubscribe", { endpoint })).toEqual({ removed: true });
    expect(await call("push.unsubscribe", { endpoint })).toEqual({ removed: false });
    expect(readFileSync(file, "utf8")).not.toContain(endpoint);
  });

  it("[UI-501] are rejected for endpoints that are not public, keys that no browser has, and a damaged file", async () => {
    const service = await fakePushService();
    const { call, file } = await gatewayFor("127.0.0.1:1");
    const { keys } = service.subscription;
    const subscribe = (endpoint: string, changes: object = {}) =>
      call("push.subscribe", { endpoint, keys: { ...keys, ...changes } });
    await expect(subscribe(service.subscription.endpoint)).rejects.toMatchObject({
      code: "NETWORK_DENIED",
    });
    const endpoint = "https://push.example/one";
    await expect(subscribe(endpoint, { auth: "AAAA" })).rejects.toMatchObject({
      code: "PUSH_SUBSCRIPTION_INVALID",
      message: expect.stringContaining('"auth" has 3 bytes instead of 16'),
    });
    await expect(subscribe(endpoint, { p256dh: "AAAA" })).rejects.toMatchObject({
      code: "PUSH_SUBSCRIPTION_INVALID",
      message: expect.stringContaining("is not a point of P-256"),
    });
    writeFileSync(file, "{");
    await expect(call("push.key", {})).rejects.toMatchObject({
      code: "STATE_FOLDER_UNUSABLE",
      message: expect.stringContaining(file),
    });
  });
});
