import { isIP, isIPv4 } from "node:net";
import type { GatewaySection } from "./sections/gateway.js";

/** Ports that `fetch` rejects by its standard ("bad port"), so that no client could reach the gateway. */
const UNREACHABLE_PORTS: ReadonlySet<number> = new Set([
  ...[7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102],
  ...[
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  ],
  ...[
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  ],
  ...[
    995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  ],
  ...[6669, 6679, 6697, 10_080],
]);

const LAST_PORT = 65_535;

/** Problem in the section `gateway`. */
export interface GatewayProblem {
  /** Keys and indexes from the root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly suggestion?: string;
}

/**
 * Returns the problems of the section `gateway` that a schema cannot express: addresses, dates and repeated names.
 * @param section - section that matches its schema
 */
export function gatewayProblems({
  bind = "loopback",
  port,
  auth,
  trustedProxies = [],
  trustedHosts = [],
  allowedOrigins = [],
  anthropic,
}: GatewaySection): readonly GatewayProblem[] {
  const problems: GatewayProblem[] = [];
  if (!["loopback", "lan"].includes(bind) && isIP(bind) === 0) {
    problems.push({
      path: ["gateway", "bind"],
      message: `must be "loopback", "lan" or an IP address, found "${bind}"`,
    });
  }
  if (port !== undefined && UNREACHABLE_PORTS.has(port)) {
    problems.push({
      path: ["gateway", "port"],
      message: `browsers and Node do not connect to port ${port}, which belongs to another protocol`,
      suggestion: "choose another, for example 18789",
    });
  }
  for (const [index, proxy] of trustedProxies.entries()) {
    if (isNetwork(proxy)) continue;
    problems.push({
      path: ["gateway", "trustedProxies", index],
      message: `must be an IP address or a network, found "${proxy}"`,
      suggestion: "for example 10.0.0.0/8",
    });
  }
  for (const [key, entries] of Object.entries({ trustedHosts, allowedOrigins })) {
    for (const [index, entry] of entries.entries()) {
      const [, named = ""] = /:(\d+)$/.exec(entry) ?? [];
      if (Number(named) <= LAST_PORT) continue;
      const message = `"${entry}" has a port above ${LAST_PORT}`;
      problems.push({ path: ["gateway", key, index], message });
    }
  }
  for (const name of Object.keys(anthropic?.models ?? {})) {
    if (/^[^*\s]*\*?$/.test(name)) continue;
    problems.push({
      path: ["gateway", "anthropic", "models", name],
      message: "a name has no spaces, and `*` only at its end",
      suggestion: "for example claude-haiku-*",
    });
  }
  const names = new Set<string>();
  for (const [index, { name, expiresAt }] of (auth?.tokens ?? []).entries()) {
    const path = ["gateway", "auth", "tokens", index];
    if (names.has(name)) {
      problems.push({
        path: [...path, "name"],
        message: `the name "${name}" is used by another token`,
        suggestion: "give each token its own name",
      });
    }
    names.add(name);
    if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) {
      problems.push({ path: [...path, "expiresAt"], message: `"${expiresAt}" is not a date` });
    }
  }
  return problems;
}

function isNetwork(text: string): boolean {
  const [address = "", bits] = text.split("/");
  if (isIP(address) === 0) return false;
  return bits === undefined || Number(bits) <= (isIPv4(address) ? 32 : 128);
}
