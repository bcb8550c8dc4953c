import { canonicalJson, sha256 } from "@openclaw/foundation";

/**
 * Returns the id of a decision: the same policy, tool and context give the same id on any machine
 * (POL-027).
 * @param policyHash - hash of the policy that decides
 * @param question - the tool and the context
 */
export function decisionId(policyHash: string, ...question: readonly unknown[]): string {
  return `pd_${sha256(canonicalJson([policyHash, ...question])).slice(0, 20)}`;
}
