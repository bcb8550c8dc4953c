import ipaddr from "ipaddr.js";

/**
 * What an IP address leads to. Only `public` lies outside; `metadata` is a cloud's service that hands
 * out credentials, `shared` is carrier-grade NAT, `reserved` is all that no host should have.
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
  | "reserved"
  | "invalid";

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

/**
 * Classifies a literal IP address; an IPv4 address mapped into IPv6 counts as what it maps (SAFE-050).
 * @param address - without brackets; a zone behind a percent sign is ignored
 */
export function classifyAddress(address: string): AddressClass {
  if (!ipaddr.isValid(address)) return "invalid";
  const parsed = ipaddr.process(address);
  const [plain = ""] = parsed.toString().split("%");
  return METADATA.has(plain) ? "metadata" : (CLASSES.get(parsed.range()) ?? "reserved");
}

/** Whether an address must not be reached by a tool: every class but `public`. */
export function isForbiddenAddress(address: string): boolean {
  return classifyAddress(address) !== "public";
}
