import ipaddr from "ipaddr.js";

/**
 * Network that an IP address belongs to. Only `public` is the public internet; `metadata` is a cloud service that
 * hands out credentials, `shared` is carrier-grade NAT, `mapped` an IPv6 spelling of a public IPv4 address, and
 * `reserved` everything else that is not public.
 */
export type AddressClass =
  | "public"
  | "private"
  | "loopback"
  | "link-local"
  | "shared"
  | "unspecified"
  | "multicast"
  | "metadata"
  | "mapped"
  | "reserved"
  | "invalid";

/**
 * Addresses of metadata services, which return the credentials of a cloud machine although some are
 * in a public range.
 */
const METADATA = new Set(["169.254.169.254", "100.100.100.200", "168.63.129.16", "fd00:ec2::254"]);
const CLASSES: ReadonlyMap<string, AddressClass> = new Map([
  ["unicast", "public"],
  ["private", "private"],
  ["uniqueLocal", "private"],
  ["loopback", "loopback"],
  ["linkLocal", "link-local"],
  ["carrierGradeNat", "shared"],
  ["unspecified", "unspecified"],
  ["multicast", "multicast"],
  ["broadcast", "multicast"],
]);
/** The only part of the IPv6 space from which public addresses are assigned. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/**
 * Classifies an IP address (SAFE-050). An IPv4 address mapped into IPv6 is never public: it is classified as the
 * address it maps, or as `mapped`.
 * @param address - IPv4 or IPv6 address without brackets; a zone after a percent sign is ignored
 * @returns `invalid` for text that is not an address, for example a host name
 */
export function classifyAddress(address: string): AddressClass {
  if (!ipaddr.isValid(address)) return "invalid";
  const written = ipaddr.parse(address);
  const parsed = ipaddr.process(address);
  const [plain = ""] = parsed.toString().split("%");
  if (METADATA.has(plain)) return "metadata";
  const found = CLASSES.get(parsed.range()) ?? "reserved";
  if (found !== "public" || written.kind() === "ipv4") return found;
  if (parsed.kind() === "ipv4") return "mapped";
  return parsed.match(GLOBAL_UNICAST) ? "public" : "reserved";
}

/**
 * Returns true when no request may be sent to an address: for every class except `public`.
 * @param address - IPv4 or IPv6 address without brackets
 */
export function isForbiddenAddress(address: string): boolean {
  return classifyAddress(address) !== "public";
}
