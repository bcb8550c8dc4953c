import { describe, expect, it } from "vitest";
import { checkHttpTarget, classifyAddress } from "../../src/index.js";

describe("addresses", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["2606:4700:4700::1111", "public"],
    ["10.1.2.3", "private"],
    ["172.31.255.255", "private"],
    ["172.32.0.1", "public"],
    ["192.168.1.1", "private"],
    ["fd12::1", "private"],
    ["127.8.9.1", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["169.254.1.1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["100.64.0.1", "shared"],
    ["100.128.0.1", "public"],
    ["0.0.0.0", "unspecified"],
    ["::", "unspecified"],
    ["224.0.0.1", "multicast"],
    ["255.255.255.255", "multicast"],
    ["169.254.169.254", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["::ffff:169.254.169.254", "metadata"],
    ["192.0.2.1", "reserved"],
    ["2001:db8::1", "reserved"],
    ["64:ff9b::7f00:1", "reserved"],
    ["example.com", "invalid"],
  ])("classifies %s as %s", (address, expected) => {
    expect(classifyAddress(address)).toBe(expected);
  });
});

describe("targets of an HTTP tool", () => {
  it.each([
    ["https://example.com/x", undefined],
    ["https://[2606:4700::1111]/", undefined],
    ["http://example.com", "insecure-scheme"],
    ["ftp://example.com", "insecure-scheme"],
    ["file:///etc/passwd", "insecure-scheme"],
    ["not a url", "invalid-url"],
    ["https://localhost/", "forbidden-host"],
    ["https://a.localhost./", "forbidden-host"],
    ["https://metadata.google.internal/", "forbidden-host"],
    ["https://127.0.0.1/", "forbidden-address"],
    ["https://2130706433/", "forbidden-address"],
    ["https://0x7f.1/", "forbidden-address"],
    ["https://0177.0.0.1/", "forbidden-address"],
    ["https://[::1]/", "forbidden-address"],
    ["https://[::ffff:127.0.0.1]/", "forbidden-address"],
    ["https://169.254.169.254/latest/meta-data", "forbidden-address"],
    ["https://１２７.０.０.１/", "forbidden-address"],
  ])("judges %s", (url, code) => {
    const target = checkHttpTarget(url);
    expect(target.allowed ? undefined : target.code).toBe(code);
  });

  it("exempts hosts by name and port", () => {
    const allowHosts = ["localhost:8080", "10.0.0.1:443", "wiki.example:80"];
    for (const url of ["http://localhost:8080/x", "https://10.0.0.1/", "http://wiki.example/"]) {
      expect(checkHttpTarget(url, { allowHosts }), url).toMatchObject({
        allowed: true,
        exempt: true,
      });
    }
    expect(checkHttpTarget("http://localhost:8081/", { allowHosts })).toMatchObject({
      allowed: false,
      reason:
        "http: is not allowed for localhost:8081; use https:, or add the host to the allowed ones",
    });
    expect(checkHttpTarget("https://example.com/", { allowHosts })).toMatchObject({
      exempt: false,
    });
  });
});
