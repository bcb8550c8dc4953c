import { canonicalJson, sha256 } from "@openclaw/foundation";

/**
 * Returns the id of a decision: the same policy, tool and context give the same id on any machine
 * (POL-027).
 * @param policyHash - hash of the policy that decides
 * @param query - the tool and the context
 */
export function decisionId(policyHash: string, ...query: readonly unknown[]): string {
  return `pd_${sha256(canonicalJson([policyHash, ...query])).slice(0, 20)}`;
}
