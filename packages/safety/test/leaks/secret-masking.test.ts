import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { maskSecrets } from "../../src/index.js";

const HEADER = "-----BEGIN RSA PRIVATE KEY-----";
const FOOTER = "-----END RSA PRIVATE KEY-----";
const LINE = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn1ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI";

describe("maskSecrets", () => {
  it("[APPR-047] keeps everything after a header that is not key material", () => {
    for (const text of [
      `npm test # ${HEADER}\ntouch x`,
      `npm test # ${HEADER} ; touch x`,
      `${HEADER}\ntouch x\n${FOOTER}\nrm -rf y`,
      `${HEADER}\n/home/someone/projects/of/mine/scripts/build`,
    ]) {
      expect(maskSecrets(text)).toEqual({ text, secrets: [] });
    }
    expect(maskSecrets(`${HEADER}\n${LINE}\ntouch x\n${LINE}\nhalt`).text).toBe(
      `${HEADER}\n[REDACTED]\ntouch x\n[REDACTED]\nhalt`,
    );
  });

  it("masks every line of a real key, also where its line breaks are escaped", () => {
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 1024,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const lines = privateKey.trim().split("\n");
    const body = lines.slice(1, -1);
    const expected = [HEADER, ...body.map(() => "[REDACTED]"), FOOTER];
    expect(maskSecrets(`echo '${privateKey}'`).text).toBe(`echo '${expected.join("\n")}\n'`);
    expect(maskSecrets(JSON.stringify(privateKey)).text).toBe(
      JSON.stringify(`${expected.join("\n")}\n`),
    );
    expect(maskSecrets(privateKey).secrets).toEqual(body);
    const encoded = Buffer.from(privateKey).toString("base64");
    expect(maskSecrets(`echo ${encoded} | base64 -d`).text).toMatch(
      /^echo \[REDACTED\]=* \| base64 -d$/,
    );
  });

  it("[SAFE-501] masks the lines of wrapped base64, and no word behind them that could be a command", () => {
    const token = `ghp_${"Abc123Def456Ghi789".repeat(2)}`;
    const encoded = Buffer.from(`NAME=example MODE=production ${token} REGION=north`).toString(
      "base64",
    );
    const lines = encoded.match(/.{1,40}/g) ?? [];
    expect(maskSecrets(`echo '${lines.join("\n")}' | base64 -d`).text).toBe(
      `echo '${lines.map(() => "[REDACTED]").join("\n")}' | base64 -d`,
    );
    for (const command of ["reboot", "halt", "shutdown", "/usr/local/bin/Work1"]) {
      expect(maskSecrets(`echo ${lines.join("")}\n${command}`).text).toMatch(
        new RegExp(`^echo \\[REDACTED\\]=*\n${command}$`),
      );
    }
  });

  it("masks only the secret part of a match, and only on its first line", () => {
    const token = "abcdef1234567890123456";
    expect(maskSecrets(`curl -H 'Authorization: Bearer ${token}' x`).text).toBe(
      "curl -H 'Authorization: Bearer [REDACTED]' x",
    );
    const next = `echo Bearer\n/tmp/${token}`;
    expect(maskSecrets(next).text).toBe(next);
    const key = `sk-ant-api03-${"aB3".repeat(31)}AA`;
    expect(maskSecrets(`export KEY=${key}; rm -rf x`).text).toBe("export KEY=[REDACTED]; rm -rf x");
  });
});
