import { isSchema } from "@openclaw/foundation";
import { accountSections, DEFAULT_ACCOUNT } from "@openclaw/messaging";
import { schemaAt } from "./schema-path.js";

type Fields = Readonly<Record<string, unknown>>;

/** Plugin with the schemas of the sections of its channels. */
export interface ChannelPlugin {
  readonly enabled?: boolean;
  readonly permissions: { readonly channels?: readonly string[] };
  readonly channelSettings?: Fields;
}

/** Account of a channel whose section lacks settings. */
export interface IncompleteAccount {
  readonly accountId: string;
  /** Keys that it lacks. */
  readonly lacks: readonly string[];
  /** True when it has a part of the required settings. */
  readonly isBegun: boolean;
}

/** Key of `channelSettings` for channels under names of the operator. */
const ANY_NAME = "*";

/**
 * Returns the schema of the settings that a channel adds to its section; undefined when no plugin has one.
 * @param name - name of the channel
 * @param section - `channels.<name>`
 * @param plugins - plugins, loaded or not
 */
export function sectionSchemaOf(
  name: string,
  section: Fields,
  plugins: readonly ChannelPlugin[],
): Fields | undefined {
  const own = schemasIn(plugins, name);
  const isOffered = plugins.some(({ permissions }) => permissions.channels?.includes(name));
  if (own.length > 0 || isOffered) return own[0];
  const enabled = plugins.filter((plugin) => plugin.enabled !== false);
  return schemasIn(enabled, ANY_NAME).find((schema) =>
    requiredKeys(schema).every((key) => section[key] !== undefined),
  );
}

/**
 * Returns the schema that a plugin has for a channel that it offers, also under a name of the operator.
 * @param plugin - plugin that offers the channel
 * @param name - name of the channel
 */
export function offeredSchemaOf(plugin: ChannelPlugin, name: string): Fields | undefined {
  return schemaIn(plugin, name) ?? schemaIn(plugin, ANY_NAME);
}

/**
 * Returns the accounts of a section that lack settings which their channel requires; such an account is not started. One that
 * is disabled lacks nothing.
 * @param section - `channels.<name>`
 * @param schema - schema of the channel
 */
export function incompleteAccounts(section: Fields, schema: Fields): readonly IncompleteAccount[] {
  const required = requiredKeys(schema);
  return [...accountSections(section)].flatMap(([accountId, settings]) => {
    const lacks = required.filter((key) => settings[key] === undefined);
    if (settings.enabled === false || lacks.length === 0) return [];
    return [{ accountId, lacks, isBegun: lacks.length < required.length }];
  });
}

/**
 * Describes the settings that an account lacks.
 * @param channel - name of the channel
 * @param account - the account
 */
export function incompleteNotice(
  channel: string,
  { accountId, lacks }: Pick<IncompleteAccount, "accountId" | "lacks">,
): string {
  const place = accountId === DEFAULT_ACCOUNT ? channel : `${channel}.accounts.${accountId}`;
  return `channels.${place} is not started until it has ${lacks.join(", ")}`;
}

/** Keys that every channel has. */
export function commonChannelKeys(): readonly string[] {
  return Object.keys(schemaAt(["channels", "any"])?.properties ?? {});
}

/** Keys that a section must have; one with a default is never missing. */
function requiredKeys({ required, properties }: Fields): readonly string[] {
  const common = commonChannelKeys();
  const keys: readonly unknown[] = Array.isArray(required) ? required : [];
  return keys.flatMap((key) => {
    if (typeof key !== "string" || common.includes(key)) return [];
    const schema: unknown = Reflect.get(Object(properties), key);
    return Object(schema).default === undefined ? [key] : [];
  });
}

function schemasIn(plugins: readonly ChannelPlugin[], name: string): readonly Fields[] {
  return plugins.map((plugin) => schemaIn(plugin, name)).filter((schema) => schema !== undefined);
}

function schemaIn({ channelSettings }: ChannelPlugin, name: string): Fields | undefined {
  const found =
    channelSettings !== undefined && Object.hasOwn(channelSettings, name)
      ? channelSettings[name]
      : undefined;
  return isSchema(found) ? found : undefined;
}
