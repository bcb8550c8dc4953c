/**
 * Blocks of the IANA special-purpose address registries and of multicast, copied from the
 * registries and not from the code under test. Blocks that the registry calls globally reachable
 * (AS112, AMT, ORCHIDv2, NAT64) are denied as well: they are relays and translators, not hosts.
 */
export const SPECIAL_IPV4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private use
  "100.64.0.0/10", // shared address space
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // metadata service of a cloud
  "169.254.0.0/16", // link local
  "172.16.0.0/12", // private use
  "192.0.0.0/24", // IETF protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112-v4
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // deprecated 6to4 relay anycast
  "192.168.0.0/16", // private use
  "192.175.48.0/24", // direct delegation AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, limited broadcast
] as const;

/** Blocks inside 2000::/3; addresses outside that block are never public. */
export const SPECIAL_IPV6 = [
  "2001::/23", // IETF protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, drones
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // direct delegation AS112
  "3fff::/20", // documentation
] as const;

/**
 * Blocks outside 2000::/3 with a special meaning, so that tests do not use random addresses only.
 */
export const OUTSIDE_IPV6 = [
  "::/128", // unspecified
  "::1/128", // loopback
  "::/96", // IPv4-compatible
  "::ffff:0:0/96", // IPv4-mapped
  "64:ff9b::/96", // NAT64
  "64:ff9b:1::/48", // local NAT64
  "100::/64", // discard
  "5f00::/16", // segment routing
  "4000::/3", // not assigned
  "fc00::/7", // unique local
  "fe80::/10", // link local
  "fec0::/10", // deprecated site local
  "ff00::/8", // multicast
] as const;

/** Block of addresses as numbers. */
export interface Block {
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Parses a block that is written without a shortened or embedded part except `::`.
 * @param cidr - IPv4 or IPv6 block
 */
export function block(cidr: string): Block {
  const [address = "", prefix = ""] = cidr.split("/");
  const isIpv6 = address.includes(":");
  const size = 1n << BigInt((isIpv6 ? 128 : 32) - Number(prefix));
  const first = isIpv6 ? ipv6Number(address) : ipv4Number(address);
  return { first, last: first + size - 1n };
}

/**
 * Returns whether an address is public according to the tables above.
 * @param value - number of the address
 * @param family - 4 or 6
 */
export function isPublicByRegistry(value: bigint, family: 4 | 6): boolean {
  const inside = ({ first, last }: Block) => value >= first && value <= last;
  if (family === 4) return !IPV4_BLOCKS.some(inside);
  return inside(GLOBAL_UNICAST) && !IPV6_BLOCKS.some(inside);
}

function ipv4Number(address: string): bigint {
  return address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function ipv6Number(address: string): bigint {
  const [head = "", tail] = address.split("::");
  const groups = (text = "") => text.split(":").filter((group) => group !== "");
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(zeros).fill("0"), ...groups(tail)];
  return all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

const IPV4_BLOCKS = SPECIAL_IPV4.map(block);
const IPV6_BLOCKS = SPECIAL_IPV6.map(block);
const GLOBAL_UNICAST = block("2000::/3");
