import { isIP, isIPv4 } from "node:net";
import type { GatewaySection } from "./sections/gateway.js";

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
  auth,
  trustedProxies = [],
}: GatewaySection): readonly GatewayProblem[] {
  const problems: GatewayProblem[] = [];
  if (!["loopback", "lan"].includes(bind) && isIP(bind) === 0) {
    problems.push({
      path: ["gateway", "bind"],
      message: `must be "loopback", "lan" or an IP address, found "${bind}"`,
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
