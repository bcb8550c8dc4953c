import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AllowedHostError, NetworkDeniedError, NetworkPolicy } from "../../src/index.js";

function reasonOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return NetworkDeniedError.isInstance(error) ? error.reason : String(error);
  }
}

describe("NetworkPolicy.exemptions", () => {
  it("[SAFE-050] follow a list that changes, at the next check", () => {
    let allowHosts: readonly string[] | undefined;
    const policy = new NetworkPolicy({ allowHosts: () => allowHosts });
    const check = () => reasonOf(() => policy.checkUrl("http://127.0.0.1:8080/"));
    expect(check()).toBe("insecure-scheme");
    allowHosts = ["127.0.0.1:8080"];
    expect(check()).toBeUndefined();
    const { exemptions } = policy;
    expect(policy.exemptions).toBe(exemptions);
    allowHosts = ["nonsense"];
    expect(check()).toContain("expected host:port");
    allowHosts = [];
    expect(check()).toBe("insecure-scheme");
  });
});

describe("NetworkPolicy.checkUrl", () => {
  const policy = new NetworkPolicy();

  it.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://%31%32%37.0.0.1/",
    "https://１２７.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://0.0.0.0/",
    "https://0/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[fd00:ec2::254]/",
    "https://100.64.0.1/",
    "https://[fc00::1]/",
    "https://[fe80::1]/",
    "https://10.0.0.1:8443/",
    "https://[::ffff:8.8.8.8]/",
    "https://[4000::1]/",
    "https://[64:ff9b::808:808]/",
  ])("[SAFE-050] denies the address of %s", (url) => {
    expect(reasonOf(() => policy.checkUrl(url))).toBe("forbidden-address");
  });

  it.each([
    ["http://example.com/", "insecure-scheme"],
    ["ftp://example.com/", "insecure-scheme"],
    ["file:///etc/passwd", "insecure-scheme"],
    ["data:text/plain,x", "insecure-scheme"],
    ["https://user:secret@example.com/", "credentials-in-url"],
    ["https://user@example.com/", "credentials-in-url"],
    ["https://:secret@example.com/", "credentials-in-url"],
    ["https://localhost/", "forbidden-host"],
    ["https://LOCALHOST/", "forbidden-host"],
    ["https://a.localhost./", "forbidden-host"],
    ["https://metadata.google.internal/", "forbidden-host"],
  ])("[SAFE-050] denies %s as %s", (url, reason) => {
    expect(reasonOf(() => policy.checkUrl(url))).toBe(reason);
  });

  it("does not repeat credentials or the query of a URL in the error", () => {
    for (const url of ["https://user:secret@example.com/", "http://example.com/?key=secret"]) {
      expect(() => policy.checkUrl(url)).toThrow(/^(?!.*secret)/);
    }
  });

  it("[SAFE-050] denies a private address in every notation", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const address = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
    );
    const digits = fc.constantFrom(
      (value: number) => String(value),
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0${value.toString(8)}`,
      (value: number) => `0X00${value.toString(16).toUpperCase()}`,
    );
    const notation = fc.tuple(digits, digits, digits, digits, fc.integer({ min: 1, max: 4 }));
    fc.assert(
      fc.property(address, notation, ([a, b, c, d], [first, second, third, fourth, parts]) => {
        // The last part of a shorter notation contains the remaining bytes.
        const [host, mapped] = [
          [first(((a * 256 + b) * 256 + c) * 256 + d)],
          [first(a), second((b * 256 + c) * 256 + d)],
          [first(a), second(b), third(c * 256 + d)],
          [first(a), second(b), third(c), fourth(d)],
        ]
          .slice(parts - 1, parts)
          .flatMap((written) => [written.join("."), `[::ffff:${a}.${b}.${c}.${d}]`]);
        expect(reasonOf(() => policy.checkUrl(`https://${host}/`))).toBe("forbidden-address");
        expect(reasonOf(() => policy.checkUrl(`https://${mapped}/`))).toBe("forbidden-address");
      }),
      { numRuns: 500 },
    );
  });

  it.each(["", "example.com", "https://", "https://[::1", "https://256.256.256.256/"])(
    "rejects %j, which is not a URL",
    (url) => {
      expect(reasonOf(() => policy.checkUrl(url))).toBe("invalid-url");
    },
  );

  it("accepts public https URLs, and resolves redirects relative to their page", () => {
    expect(policy.checkUrl("https://example.com/a?b#c").href).toBe("https://example.com/a?b#c");
    expect(policy.checkUrl("https://1.1.1.1/").hostname).toBe("1.1.1.1");
    const page = policy.checkUrl("https://example.com/a/b");
    expect(policy.checkUrl("../c", page).href).toBe("https://example.com/c");
    expect(reasonOf(() => policy.checkUrl("//127.0.0.1/", page))).toBe("forbidden-address");
  });
});

describe("allowHosts", () => {
  it("[SAFE-050] exempts exactly the host and port of allowHosts from both bans", () => {
    const policy = new NetworkPolicy({
      allowHosts: ["127.0.0.1:8080", "[::1]:443", "Local.test:80"],
    });
    expect(policy.checkUrl("http://127.0.0.1:8080/x").port).toBe("8080");
    expect(policy.checkUrl("http://2130706433:8080/").hostname).toBe("127.0.0.1");
    expect(policy.checkUrl("https://[0:0:0:0:0:0:0:1]/").hostname).toBe("[::1]");
    expect(policy.checkUrl("http://local.test/").hostname).toBe("local.test");
    for (const url of ["http://127.0.0.1:8081/", "http://127.0.0.1/", "http://local.test:81/"]) {
      expect(reasonOf(() => policy.checkUrl(url))).toBe("insecure-scheme");
    }
    expect(reasonOf(() => policy.checkUrl("https://[::1]:8443/"))).toBe("forbidden-address");
  });

  it.each(["127.0.0.1", "http://127.0.0.1:80", "a:b", ":80", "host:80/x", "u@host:80", "h:99999"])(
    "rejects the allowHosts entry %j",
    (entry) => {
      const create = () => new NetworkPolicy({ allowHosts: [entry] });
      expect(create).toThrow(AllowedHostError);
      expect(create).toThrow(JSON.stringify(entry));
    },
  );

  it("[SAFE-050] applies all other bans to hosts in allowHosts", () => {
    const policy = new NetworkPolicy({ allowHosts: ["127.0.0.1:8080"] });
    expect(reasonOf(() => policy.checkUrl("http://user:pw@127.0.0.1:8080/"))).toBe(
      "credentials-in-url",
    );
    expect(reasonOf(() => policy.checkUrl("ftp://127.0.0.1:8080/"))).toBe("insecure-scheme");
  });

  it("mentions allowHosts in the error about a host that is not exempt", () => {
    expect(() => new NetworkPolicy().checkUrl("http://localhost:8081/")).toThrow(
      'http://localhost:8081/ is not https. Use an https URL, or add "localhost:8081" to tools.http.allowHosts.',
    );
  });
});
