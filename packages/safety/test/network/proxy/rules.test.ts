import { describe, expect, it } from "vitest";
import { ProxyRules } from "../../../src/network/proxy/rules.js";

const PROXY = "http://proxy.example:3128";

function proxyOf(url: string, environment: NodeJS.ProcessEnv): string | undefined {
  return new ProxyRules(environment).proxyOf(new URL(url))?.origin;
}

describe("ProxyRules", () => {
  it.each([
    ["https://a.example/", { HTTPS_PROXY: PROXY }],
    ["https://a.example/", { https_proxy: "proxy.example:3128" }],
    ["http://a.example/", { http_proxy: PROXY, HTTP_PROXY: "http://other.example" }],
    ["wss://a.example/", { ALL_PROXY: PROXY, HTTP_PROXY: "http://other.example" }],
    ["https://10.0.0.1/", { HTTPS_PROXY: PROXY }],
  ])("[SAFE-220] sends %s to a proxy: %j", (url, environment) => {
    expect(proxyOf(url, environment)).toBe(PROXY);
  });

  it.each([
    "http://localhost:8080/",
    "http://a.localhost/",
    "https://127.0.0.1/",
    "https://127.8.8.8/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest",
    "http://[fe80::1]/",
    "http://0.0.0.0/",
  ])("[SAFE-220] never sends %s to a proxy", (url) => {
    expect(proxyOf(url, { ALL_PROXY: PROXY, NO_PROXY: "" })).toBeUndefined();
  });

  it.each([
    ["https://a.example/", "*", false],
    ["https://a.example/", "a.example", false],
    ["https://b.a.example/", "a.example", false],
    ["https://b.a.example/", ".a.example", false],
    ["https://b.a.example/", "*.a.example", false],
    ["https://ba.example/", "a.example", true],
    ["https://A.example./", "x, a.EXAMPLE", false],
    ["https://a.example/", "a.example:443", false],
    ["https://a.example/", "a.example:8443", true],
    ["https://10.1.2.3/", "10.0.0.0/8", false],
    ["https://11.1.2.3/", "10.0.0.0/8", true],
    ["https://10.1.2.3/", "10.1.2.3", false],
    ["https://[2001:db8::1]/", "[2001:db8::1]", false],
    ["https://[2001:db8::1]/", "2001:db8::/32", false],
    ["https://a.example/", "b.example c.example", true],
  ])("[SAFE-220] %s with NO_PROXY=%s", (url, none, isProxied) => {
    expect(proxyOf(url, { HTTPS_PROXY: PROXY, NO_PROXY: none }) !== undefined).toBe(isProxied);
    expect(proxyOf(url, { HTTPS_PROXY: PROXY, no_proxy: none }) !== undefined).toBe(isProxied);
  });

  it("[SAFE-220] shows proxies without credentials, and variables that are not usable without their value", () => {
    const rules = new ProxyRules({
      HTTPS_PROXY: "http://me:secret@proxy.example:3128",
      HTTP_PROXY: "socks4://me:secret@other.example",
      NO_PROXY: "a.example",
    });
    expect(rules.describe()).toEqual([
      "HTTPS_PROXY: http://proxy.example:3128 (with credentials)",
      "without a proxy: a.example",
    ]);
    expect(rules.problems).toEqual([
      { variable: "HTTP_PROXY", problem: 'names a proxy of the kind "socks4"' },
    ]);
    expect(new ProxyRules({ HTTPS_PROXY: "http://" }).problems).toHaveLength(1);
    expect(new ProxyRules({}).isEmpty).toBe(true);
  });

  it.each(["socks4://proxy.example", "ftp://proxy.example", "http://"])(
    "[SAFE-400] never takes the direct way when the variable is %s",
    (url) => {
      const rules = new ProxyRules({ ALL_PROXY: url });
      expect(rules.isEmpty).toBe(false);
      expect(rules.proxyOf(new URL("https://a.example/"))).toBeDefined();
      expect(rules.proxyOf(new URL("http://a.example/"))).toBeDefined();
      expect(rules.describe()).toEqual([]);
      expect(rules.problems).toHaveLength(1);
    },
  );

  it("[SAFE-220] gives child processes the same rules", () => {
    const variables = new ProxyRules({ ALL_PROXY: PROXY, NO_PROXY: "a.example" }).childVariables();
    expect(variables).toMatchObject({
      HTTPS_PROXY: `${PROXY}/`,
      http_proxy: `${PROXY}/`,
      NO_PROXY: "a.example,localhost,127.0.0.1,::1",
    });
    expect(new ProxyRules({}).childVariables()).toEqual({});
  });
});
