import type { LayerScope, PolicyLayer } from "../layers/layer.js";
import type { ConfigNode } from "./node.js";
import { layerOf, readRules } from "./rules.js";
import { CHANNEL_SCHEMA, type GroupsConfig, type ToolPolicyConfig } from "./schema.js";

type GroupTools = NonNullable<GroupsConfig[string]["tools"]>;

function senderScope(key: string): LayerScope | undefined {
  if (key === "*") return {};
  const value = key.slice(key.indexOf(":") + 1).trim();
  if (value === "") return undefined;
  if (/^id:/i.test(key)) return { senderId: value };
  if (/^name:/i.test(key)) return { senderName: value };
  return undefined;
}

/**
 * Returns the layers of the senders. Of several keys that match a sender the narrowest applies; it
 * adds to the group's rules.
 */
function senderLayers(
  node: ConfigNode<NonNullable<GroupTools["toolsBySender"]>>,
): readonly PolicyLayer[] {
  const layers: PolicyLayer[] = [];
  for (const [key, entry] of node.entries()) {
    const when = senderScope(key);
    if (when === undefined) {
      entry.error(
        "POLICY_UNKNOWN_KEY",
        `"${key}" names no sender`,
        'write "id:<x>", "name:<x>" or "*"',
      );
      continue;
    }
    const rules = readRules(entry);
    layers.push(layerOf(rules, { layer: "group", slot: "sender", when, label: `sender ${key}` }));
  }
  return layers;
}

function groupLayer(tools: ConfigNode<GroupTools>, when: LayerScope, label: string): PolicyLayer {
  const rules = readRules(tools);
  const bySender = tools.get("toolsBySender");
  const within = bySender === undefined ? [] : senderLayers(bySender);
  const frame = { layer: "group", slot: "group", when } as const;
  // The layer is kept: a group that is switched off does not fall back to groups.*.
  if (tools.value.enabled === false) return { ...frame, label: `${label}, switched off` };
  return layerOf(rules, { ...frame, label, within });
}

function groupsOf(
  node: ConfigNode<GroupsConfig> | undefined,
  channel?: string,
): readonly PolicyLayer[] {
  return (node?.entries() ?? []).flatMap(([groupId, group]) => {
    group
      .stray("toolsBySender")
      ?.error(
        "POLICY_UNKNOWN_KEY",
        '"toolsBySender" must be inside "tools"',
        'move it into "tools" of the same group',
      );
    const tools = group.get("tools");
    if (tools === undefined) return [];
    const when = channel === undefined ? { groupId } : { channel, groupId };
    return [groupLayer(tools, when, groupId === "*" ? "any group" : `group "${groupId}"`)];
  });
}

/**
 * Makes a layer of each enabled group policy. What needs approval is not denied by the allow list of
 * the same policy; of several policies for a group the strictest wins (SAFE-052).
 */
function policyLayers(root: ConfigNode<ToolPolicyConfig>): readonly PolicyLayer[] {
  const policies = root.get("tools")?.get("groupPolicies")?.elements() ?? [];
  return policies
    .filter(({ value }) => value.enabled !== false)
    .map((policy) => {
      const { channel, group } = policy.value;
      const { node, lists } = readRules(policy);
      const { allow = [], requireApproval = [] } = lists;
      const admitted =
        allow.length === 0 ? lists : { ...lists, allow: [...allow, ...requireApproval] };
      return layerOf(
        { node, lists: admitted },
        { layer: "group", when: { channel, groupId: group }, label: `policy of group "${group}"` },
      );
    });
}

/**
 * Makes layer 5 from `channels.<channel>.groups.<id>.tools`, `groups.<id>.tools` and
 * `tools.groupPolicies`. The entry of a group goes before `*`, one of the channel before one for all
 * channels (POL-012); a group policy applies in addition.
 * @param root - the whole configuration
 */
export function groupLayers(root: ConfigNode<ToolPolicyConfig>): readonly PolicyLayer[] {
  return [
    ...policyLayers(root),
    ...groupsOf(root.get("groups")),
    ...(root.get("channels")?.entries() ?? []).flatMap(([channel, node]) =>
      groupsOf(node.fitting(CHANNEL_SCHEMA)?.get("groups"), channel),
    ),
  ];
}
