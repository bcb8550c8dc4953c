import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDeviceKey } from "../../src/device-file.js";

function newFile(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return join(folder.path, "keys", "device.pem");
}

describe("openDeviceKey", () => {
  it("[HOST-114] creates a key that only its owner can read, and opens it again", async () => {
    const file = newFile();
    const created = openDeviceKey(file);
    expect(created).toMatchObject({
      name: hostname(),
      publicKey: expect.stringMatching(/^.{43}$/),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    const opened = openDeviceKey(file, { name: "phone" });
    expect(opened).toMatchObject({ name: "phone", publicKey: created.publicKey });
    expect(readFileSync(file, "utf8")).toBe(text);
    const jwk = { kty: "OKP", crv: "Ed25519", x: created.publicKey };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    const statement = Buffer.from("statement");
    expect(verify(null, statement, key, await opened.sign(statement))).toBe(true);
  });

  it("[HOST-114] rejects a key that others can read", () => {
    const file = newFile();
    openDeviceKey(file);
    chmodSync(file, 0o640);
    expect(() => openDeviceKey(file)).toThrow(`run \`chmod 600 ${file}\``);
  });

  it.each([
    ["text", "not a key"],
    [
      "a key of another kind",
      generateKeyPairSync("ec", { namedCurve: "P-256" })
        .privateKey.export({ format: "pem", type: "pkcs8" })
        .toString(),
    ],
  ])("rejects a file with %s, and keeps it", (_, text) => {
    const file = newFile();
    mkdirSync(join(file, ".."));
    writeFileSync(file, text, { mode: 0o600 });
    expect(() => openDeviceKey(file)).toThrow("it is not an Ed25519 private key in PEM");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("rejects a folder", () => {
    const file = newFile();
    mkdirSync(file, { recursive: true, mode: 0o700 });
    expect(() => openDeviceKey(file)).toThrow("it cannot be read (EISDIR)");
  });
});
