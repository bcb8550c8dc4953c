const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns an IP address without the form in which IPv6 sockets show IPv4 addresses, and without a zone.
 * @param address - address of a socket or from a header
 */
export function plainAddress(address: string): string {
  const [plain = ""] = address.split("%", 1);
  return MAPPED.exec(plain)?.[1] ?? plain.toLowerCase();
}

/**
 * Returns true for an address of the machine itself.
 * @param address - address of a client
 */
export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address);
  return plain === "::1" || /^127\.\d+\.\d+\.\d+$/.test(plain);
}

/**
 * Returns the network that one client controls: its IPv4 address, or the first 64 bits of its IPv6 address.
 * @param address - address of a client
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(":")) return plain;
  const groupsOf = (text = "") => text.split(":").filter((group) => group !== "");
  const [start, end] = plain.split("::");
  const head = groupsOf(start);
  const tail = groupsOf(end);
  const zeros = end === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail];
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}
