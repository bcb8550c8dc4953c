import { KNOWN_PROPOSALS } from "@openclaw/plugin-discovery";
import type { IsolationTierApi } from "@openclaw/plugin-sdk/proposals/isolation-tier";
import { PluginProposalError } from "../errors.js";
import type { PluginInstance } from "../instances/instance.js";

/** Members of the `api` that are proposals. */
export type ProposedApi = IsolationTierApi;

/**
 * Adds the proposals to an `api`. Reading one that the manifest of the plugin does not name throws (SDK-024).
 * @param api - its `api`
 * @param values - the proposed members
 */
export function withProposals<Api extends object>(
  instance: PluginInstance,
  api: Api,
  values: ProposedApi,
): Api {
  const named = instance.grants.proposals ?? [];
  for (const { name, member } of KNOWN_PROPOSALS) {
    Object.defineProperty(api, member, {
      // Not enumerable: a plugin that copies its api reads no proposal.
      enumerable: false,
      get() {
        if (!named.includes(name)) throw new PluginProposalError(instance.id, member, name);
        return values[member];
      },
    });
  }
  return api;
}
