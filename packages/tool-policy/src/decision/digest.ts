import { createHash } from "node:crypto";

/**
 * JSON with keys in fixed order and without undefined fields: equal values give equal text.
 * @param value - plain data without cycles
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}

/** SHA-256 of a text in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * The id of a decision: the same policy, tool and context give the same id on any machine (POL-027).
 * @param policyHash - of the policy that decides
 * @param question - tool and context
 */
export function decisionId(policyHash: string, ...question: readonly unknown[]): string {
  return `pd_${sha256(canonicalJson([policyHash, ...question])).slice(0, 20)}`;
}
