import { defined } from "@openclaw/foundation";
import { formatDecider } from "@openclaw/gateway";
import type { GatewayMethodResult } from "@openclaw/protocol";

type CatalogTool = GatewayMethodResult<"tools.catalog">["tools"][number];

/** Metadata that a plugin registered for a tool (PLUG-111). */
export type ToolMetadataFields = Pick<
  CatalogTool,
  "displayName" | "description" | "risk" | "tags" | "optional"
>;

/** Tool of the catalog with the answer of policy. */
export type ListedTool = Pick<
  CatalogTool,
  "name" | "pluginId" | "unavailable" | "kind" | "capabilities"
> &
  ToolMetadataFields & {
    readonly allowed: boolean;
    /** Layer that decided; absent for a tool that is not offered. */
    readonly decidedBy?: GatewayMethodResult<"policy.explain">["decidedBy"];
  };

/**
 * Returns the table of `openclaw tool list`. The columns for kinds, metadata and capabilities exist when a tool has some.
 * @param tools - tools in the order of the catalog
 */
export function toolTable(tools: readonly ListedTool[]): {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const hasNames = tools.some(({ displayName }) => displayName !== undefined);
  const hasRisks = tools.some(({ risk }) => risk !== undefined);
  const hasKinds = tools.some(({ kind }) => kind !== undefined);
  const hasCapabilities = tools.some(({ capabilities }) => capabilities !== undefined);
  const columns = (
    name: string,
    label: string,
    risk: string,
    rest: readonly string[],
    { kind, capabilities }: { readonly kind: string; readonly capabilities: string },
  ) => [
    name,
    ...(hasKinds ? [kind] : []),
    ...(hasNames ? [label] : []),
    ...(hasRisks ? [risk] : []),
    ...rest,
    ...(hasCapabilities ? [capabilities] : []),
  ];
  return {
    titles: columns("tool", "label", "risk", ["from", "policy", "reason"], {
      ...{ kind: "kind", capabilities: "capabilities" },
    }),
    rows: tools.map((tool) => {
      const { name, displayName = "", risk = "", pluginId = "core" } = tool;
      const { kind = "", capabilities } = tool;
      return columns(name, displayName, risk, [pluginId, ...statusOf(tool)], {
        kind,
        capabilities: capabilities?.length === 0 ? "none" : (capabilities?.join("; ") ?? ""),
      });
    }),
  };
}

function statusOf({ allowed, decidedBy, unavailable = "" }: ListedTool): [string, string] {
  if (decidedBy === undefined) return ["not offered", unavailable];
  return allowed ? ["allowed", ""] : ["denied", formatDecider(decidedBy)];
}

/**
 * Returns the reason why a tool that policy allows is not offered to models; undefined for an offered or a denied one.
 * @param tool - answer of policy, and whether the tool is among those of the session
 */
export function notOffered({
  allowed,
  isOffered,
}: {
  readonly allowed: boolean;
  readonly isOffered: boolean;
}): string | undefined {
  if (!allowed || isOffered) return undefined;
  return "its plugin did not make it for this session, or the host dropped it, which `openclaw logs --level warn` shows";
}

/**
 * Returns what a plugin registered for a tool; undefined when it registered nothing.
 * @param tool - tool of the catalog
 */
export function registeredMetadata(tool: ToolMetadataFields): ToolMetadataFields | undefined {
  const { displayName, description, risk, tags, optional } = tool;
  const metadata = defined({ displayName, description, risk, tags, optional });
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}

/**
 * Returns the fields of `openclaw tool info` for the metadata of a tool.
 * @param metadata - as the plugin registered it
 */
export function metadataFields({
  displayName,
  description,
  risk,
  tags,
}: ToolMetadataFields): (readonly [string, string | undefined])[] {
  return [
    ["label", displayName],
    ["risk", risk === undefined ? undefined : `${risk}, as the plugin states`],
    ["tags", tags?.join(", ")],
    ["plugin says", description],
  ];
}
