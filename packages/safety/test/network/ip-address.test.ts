import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyAddress, NetworkDeniedError, NetworkPolicy } from "../../src/index.js";
import {
  block,
  isPublicByRegistry,
  OUTSIDE_IPV6,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from "../support/special-purpose-addresses.js";

describe("classifyAddress", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["1.1.1.1", "public"],
    ["2606:4700:4700::1111", "public"],
    ["2606:4700::1111", "public"],
    ["2a00:1450::1", "public"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["172.32.0.1", "public"],
    ["192.168.1.1", "private"],
    ["fc00::1", "private"],
    ["fd12::1", "private"],
    ["127.0.0.1", "loopback"],
    ["127.8.9.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["169.254.1.1", "link-local"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["100.64.0.1", "shared"],
    ["100.128.0.1", "public"],
    ["0.0.0.0", "unspecified"],
    ["::", "unspecified"],
    ["224.0.0.1", "multicast"],
    ["ff02::1", "multicast"],
    ["255.255.255.255", "multicast"],
    ["168.63.129.16", "metadata"],
    ["169.254.169.254", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["::ffff:169.254.169.254", "metadata"],
    ["::ffff:8.8.8.8", "mapped"],
    ["192.0.0.192", "reserved"],
    ["192.0.2.1", "reserved"],
    ["198.18.0.1", "reserved"],
    ["240.0.0.1", "reserved"],
    ["64:ff9b::7f00:1", "reserved"],
    ["64:ff9b:1::1", "reserved"],
    ["2001::1", "reserved"],
    ["2001:db8::1", "reserved"],
    ["2002:7f00:1::", "reserved"],
    ["4000::1", "reserved"],
    ["fec0::1", "reserved"],
    ["example.com", "invalid"],
    ["not an address", "invalid"],
  ])("classifies %s as %s", (address, expected) => {
    expect(classifyAddress(address)).toBe(expected);
  });

  it("never classifies an IPv4 address embedded in an IPv6 address as public", () => {
    expect(classifyAddress("::127.0.0.1")).not.toBe("public");
    expect(classifyAddress("::8.8.8.8")).not.toBe("public");
  });
});

describe("address spellings", () => {
  const policy = new NetworkPolicy();
  const isAllowed = (host: string): boolean => {
    try {
      policy.checkUrl(`https://${host}/`);
      return true;
    } catch (error) {
      if (!NetworkDeniedError.isInstance(error)) throw error;
      expect(error.reason).toBe("forbidden-address");
      return false;
    }
  };
  const within = (cidrs: readonly string[]) =>
    fc.constantFrom(...cidrs).chain((cidr) => {
      const { first, last } = block(cidr);
      return fc.oneof(fc.constantFrom(first, last), fc.bigInt({ min: first, max: last }));
    });
  const beside = (cidrs: readonly string[], last: bigint) =>
    fc
      .constantFrom(...cidrs)
      .chain((cidr) => fc.constantFrom(block(cidr).first - 1n, block(cidr).last + 1n))
      .filter((value) => value >= 0n && value <= last);

  it("[SAFE-050] allows exactly the public IPv4 addresses of the registry, in any spelling", () => {
    const address = fc.oneof(
      within(SPECIAL_IPV4),
      beside(SPECIAL_IPV4, 2n ** 32n - 1n),
      within(["0.0.0.0/0"]),
    );
    const digits = fc.constantFrom<(value: number) => string>(
      String,
      (value) => `0x${value.toString(16)}`,
      (value) => `0${value.toString(8)}`,
      (value) => `0X00${value.toString(16).toUpperCase()}`,
    );
    const spelling = fc.record({
      parts: fc.integer({ min: 1, max: 4 }),
      digits: fc.tuple(digits, digits, digits, digits),
      dot: fc.boolean(),
    });
    fc.assert(
      fc.property(address, spelling, (value, { parts, digits, dot }) => {
        const host = shortIpv4(Number(value), parts, digits) + (dot ? "." : "");
        expect(isAllowed(host), host).toBe(isPublicByRegistry(value, 4));
      }),
      { numRuns: 1000 },
    );
  });

  it("[SAFE-050] allows exactly the public IPv6 addresses of the registry, in any spelling", () => {
    const address = fc.oneof(
      within(SPECIAL_IPV6),
      beside(SPECIAL_IPV6, 2n ** 128n - 1n),
      within(OUTSIDE_IPV6),
      beside(OUTSIDE_IPV6, 2n ** 128n - 1n),
      within(["2000::/3"]),
      within(["::/0"]),
    );
    const spelling = fc.record({
      padded: fc.boolean(),
      upperCase: fc.boolean(),
      compressed: fc.boolean(),
      dotted: fc.boolean(),
    });
    fc.assert(
      fc.property(address, spelling, (value, options) => {
        const host = ipv6Spelling(value, options);
        expect(isAllowed(`[${host}]`), host).toBe(isPublicByRegistry(value, 6));
        expect(classifyAddress(host) === "public", host).toBe(isPublicByRegistry(value, 6));
      }),
      { numRuns: 2000 },
    );
  });

  it("[SAFE-050] never allows a public IPv4 address through IPv6", () => {
    const ipv4 = within(["0.0.0.0/0"]);
    const carriers = fc.constantFrom<(value: bigint) => bigint>(
      (value) => value, // IPv4-compatible
      (value) => (0xffffn << 32n) + value, // mapped
      (value) => (0x64ff9bn << 96n) + value, // NAT64
      (value) => (0x64ff9b0001n << 80n) + value, // local NAT64
      (value) => (0x2002n << 112n) + (value << 80n), // 6to4
      (value) => (0x20010000n << 96n) + (value ^ 0xffffffffn), // Teredo
    );
    const spelling = { padded: false, upperCase: false, compressed: true, dotted: true };
    fc.assert(
      fc.property(ipv4, carriers, (value, carried) => {
        const host = ipv6Spelling(carried(value), spelling);
        expect(isAllowed(`[${host}]`), host).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

/**
 * Returns an IPv4 address in up to four parts; the last part of a shorter form contains the
 * remaining bytes.
 */
function shortIpv4(
  value: number,
  parts: number,
  digits: readonly ((value: number) => string)[],
): string {
  const bytes = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const rest = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
  return [...bytes.slice(0, parts - 1), rest]
    .map((part, index) => (digits[index] ?? String)(part))
    .join(".");
}

interface Ipv6Spelling {
  readonly padded: boolean;
  readonly upperCase: boolean;
  readonly compressed: boolean;
  /** True writes the last 32 bits as an IPv4 address. */
  readonly dotted: boolean;
}

function ipv6Spelling(
  value: bigint,
  { padded, upperCase, compressed, dotted }: Ipv6Spelling,
): string {
  const numbers = Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const groups = numbers.map((group) => group.toString(16).padStart(padded ? 4 : 1, "0"));
  if (dotted) {
    const [high = 0, low = 0] = numbers.slice(6);
    groups.splice(6, 2, [high >> 8, high & 255, low >> 8, low & 255].join("."));
  }
  const text = groups.join(":");
  const short = compressed ? text.replace(/(^|:)0+(:0+)+(:|$)/, "::") : text;
  return upperCase ? short.toUpperCase() : short;
}
