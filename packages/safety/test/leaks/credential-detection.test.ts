import { describe, expect, it } from "vitest";
import { detectCredentials } from "../../src/index.js";

describe("detectCredentials", () => {
  it.each(["Authorİzation", "AUTHORİZATİON", "authorızation", "Authori\u0307zation", "X-Àpi-Key"])(
    "[SAFE-051] recognises the header name %s without its combining marks",
    (name) => {
      expect(detectCredentials({ headers: [[name, "v"]] }).detected).toBe(true);
    },
  );

  it("[SAFE-051] recognises header names, parts of names, and value schemes", () => {
    for (const name of [
      "Authorization",
      "Proxy-Authorization",
      "Cookie",
      "X-API-Key",
      "api-key",
      "apikey",
      "X-Auth-Token",
      "X-Token",
      "X-Access-Token",
      "X-Session-Token",
      "X-CSRF-Token",
      "X-Secret",
      "X-My-Auth",
      "My-Secret-Id",
      "X-Credential",
      "X-Password",
    ]) {
      expect(detectCredentials({ headers: { [name]: "v" } }).places, name).toEqual([
        `header ${name.toLowerCase()}`,
      ]);
    }
    for (const scheme of [
      "Bearer",
      "basic",
      "Token",
      "Digest",
      "HOBA",
      "Mutual",
      "AWS4-HMAC-SHA256",
    ]) {
      expect(detectCredentials({ headers: [["X-Custom", `${scheme} abc`]] }).detected, scheme).toBe(
        true,
      );
    }
    expect(
      detectCredentials({ headers: [{ name: "X-Cust\u200bom", value: "Bea\u200brer x" }] })
        .detected,
    ).toBe(true);
  });

  it("[SAFE-051] recognises query names and userinfo", () => {
    const url = "https://api.example.com/x";
    for (const name of [
      "api_key",
      "apikey",
      "api-key",
      "access_token",
      "accesstoken",
      "auth",
      "auth_token",
      "token",
      "key",
      "secret",
      "client_secret",
      "password",
      "passwd",
      "pwd",
      "sig",
      "signature",
      "session_id",
      "my_auth_code",
    ]) {
      expect(detectCredentials({ url: `${url}?a=1&${name}=v` }).places, name).toEqual([
        `query ${name}`,
      ]);
    }
    expect(detectCredentials({ url: "https://user@example.com/" }).places).toEqual([
      "url userinfo",
    ]);
    expect(detectCredentials({ url: "https://:pw@example.com/" }).detected).toBe(true);
  });

  it("[SAFE-051] detects no credential in other header and query names", () => {
    const headers = {
      "X-Idempotency-Key": "u",
      "Content-Type": "text/plain",
      "X-Author": "Ada",
      Accept: "basically anything",
    };
    expect(detectCredentials({ url: "https://example.com/?q=1&author=ada", headers })).toEqual({
      detected: false,
      places: [],
    });
    expect(detectCredentials({ url: "no url" }).detected).toBe(false);
    expect(detectCredentials({}).detected).toBe(false);
  });
});
