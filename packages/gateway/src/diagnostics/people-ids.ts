import {
  type ChannelPlugin,
  type EntryProblem,
  type LoadedConfiguration,
  offeredSchemaOf,
} from "@openclaw/configuration";
import { isSchema } from "@openclaw/foundation";
import { dotted, isTouched } from "./unknown-names.js";

type Path = readonly (string | number)[];

/** ID of a sender or of a conversation of a channel, with its location. */
interface NamedId {
  readonly kind: "senderId" | "conversationId";
  readonly channel: string;
  readonly id: string;
  readonly path: Path;
}

const NOUNS = { senderId: "a sender", conversationId: "a conversation" } as const;

/**
 * Returns the IDs of senders and conversations that a change names and that do not have the form of their channel, which its
 * plugin declares as `$defs.senderId` and `$defs.conversationId` of the schema of its settings (GW-504).
 * @param configuration - configuration with the change
 * @param plugins - installed plugins
 * @param changed - paths of the change
 */
export function wrongIds(
  configuration: LoadedConfiguration,
  plugins: readonly ChannelPlugin[],
  changed: readonly (readonly string[])[],
): readonly EntryProblem[] {
  const { file = "", locate } = configuration;
  return namedIds(configuration).flatMap(({ kind, channel, id, path }): EntryProblem[] => {
    if (!isTouched(dotted(path), changed) || id === "*" || id.includes("${")) return [];
    const form = formOf(kind, channel, plugins);
    if (form === undefined || new RegExp(form.pattern, "u").test(id)) return [];
    return [
      {
        key: dotted(path),
        message: `"${id}" does not have the form of the ID of ${NOUNS[kind]} on ${channel}; expected: ${form.description}`,
        suggestion: "`openclaw pairing list` shows the IDs of people who wrote to the gateway",
        severity: "error",
        ...(locate(path) ?? locate(path.slice(0, -1)) ?? { file, line: 1, column: 1 }),
      },
    ];
  });
}

function formOf(kind: NamedId["kind"], channel: string, plugins: readonly ChannelPlugin[]) {
  const owner = plugins.find(({ permissions }) => permissions.channels?.includes(channel));
  const definitions: unknown = Object(owner && offeredSchemaOf(owner, channel)).$defs;
  const form: unknown = Reflect.get(Object(definitions), kind);
  if (!isSchema(form)) return undefined;
  const { pattern, description } = form;
  return typeof pattern === "string" && typeof description === "string"
    ? { pattern, description }
    : undefined;
}

function namedIds({ value }: LoadedConfiguration): readonly NamedId[] {
  const { channels = {}, approvals = {}, bindings = [], heartbeat = {}, webhooks = {} } = value;
  const { tools = {} } = value;
  const sections = Object.entries(channels).flatMap(([channel, section]) => {
    const { accounts, ...own } = fieldsOf(section);
    const above = ["channels", channel];
    const ofAccounts = Object.entries(fieldsOf(accounts)).map(
      ([id, account]) => [[...above, "accounts", id], fieldsOf(account)] as const,
    );
    return [[above, own] as const, ...ofAccounts].map(([path, fields]) => ({
      ...{ channel, path, fields },
    }));
  });
  const groups = sections.flatMap(({ channel, path, fields }) =>
    Object.keys(fieldsOf(fields.groups)).map(
      (id): NamedId => ({ kind: "conversationId", channel, id, path: [...path, "groups", id] }),
    ),
  );
  const listed = sections.flatMap(({ channel, path, fields }) =>
    ["allowFrom", "owners"].flatMap((key) =>
      itemsOf(fields[key]).map(
        ([index, id]): NamedId => ({ kind: "senderId", channel, id, path: [...path, key, index] }),
      ),
    ),
  );
  const approvers = (approvals.approvers ?? []).map((entry, index): NamedId => {
    const [channel = "", ...id] = entry.split(":");
    const path = ["approvals", "approvers", index];
    return { kind: "senderId", channel, id: id.join(":"), path };
  });
  const peers = bindings.flatMap(({ match: { channel, peer } }, index): NamedId[] => {
    const path = ["bindings", index, "match", "peer"];
    return channel === undefined || peer === undefined
      ? []
      : [{ kind: "senderId", channel, id: peer, path }];
  });
  const targets = Object.entries(approvals.delivery ?? {}).flatMap(([kind, delivery]) =>
    (delivery?.targets ?? []).map(({ channel, to }, index) => {
      const path: Path = ["approvals", "delivery", kind, "targets", index, "to"];
      return [channel, to, path] as const;
    }),
  );
  const deliveries = Object.entries(webhooks).flatMap(([name, { deliver }]) =>
    deliver === undefined
      ? []
      : [[deliver.channel, deliver.to, ["webhooks", name, "deliver", "to"]] as const],
  );
  const ofHeartbeat = [[heartbeat.channel, heartbeat.to, ["heartbeat", "to"]] as const];
  const conversations = [...targets, ...deliveries, ...ofHeartbeat].flatMap(
    ([channel, id, path]): NamedId[] =>
      channel === undefined || id === undefined
        ? []
        : [{ kind: "conversationId", channel, id, path }],
  );
  const policies = (tools.groupPolicies ?? []).map(({ channel, group }, index): NamedId => {
    const path = ["tools", "groupPolicies", index, "group"];
    return { kind: "conversationId", channel, id: group, path };
  });
  return [...groups, ...listed, ...approvers, ...peers, ...conversations, ...policies];
}

/** Returns the strings and numbers of a list. */
function itemsOf(value: unknown): readonly (readonly [index: number, id: string])[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item, index) =>
    typeof item === "string" || typeof item === "number" ? [[index, String(item)] as const] : [],
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
