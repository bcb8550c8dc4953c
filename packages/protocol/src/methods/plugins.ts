import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { pluginChange, pluginDetails, pluginNote, pluginSummary } from "./plugin-results.js";

const closed = { additionalProperties: false };
const id = Type.String({ minLength: 1, maxLength: 200, description: "ID of the plugin." });
const allowConversation = Type.Optional(
  Type.Boolean({
    description: "True allows the plugin's hooks to read conversations, false forbids it (D29).",
  }),
);

/** Errors of a plugin that a marketplace offers. */
const MARKETPLACE_ERRORS = [
  "MARKETPLACE_UNUSABLE",
  "MARKETPLACE_NOT_FOUND",
  "MARKETPLACE_REDIRECTED",
  "MARKETPLACE_PLUGIN_NOT_FOUND",
  "MARKETPLACE_PLUGIN_REFUSED",
  "NETWORK_DENIED",
] as const;

/** The plugin methods (GW-026). */
export const pluginMethods = methodTable(
  defineMethod({
    name: "plugins.list",
    summary: "Lists the plugins of the running gateway with their problems.",
    params: Type.Object({}, closed),
    result: Type.Object({
      generation: Type.Integer(),
      plugins: Type.Array(pluginSummary),
      diagnostics: Type.Array(pluginNote),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "plugins.inspect",
    summary: "Returns the full description of one plugin.",
    params: Type.Object({ id }, closed),
    result: pluginDetails,
    errors: ["PLUGIN_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "plugins.doctor",
    summary: "Examines one plugin or all, and returns each problem with its fix.",
    params: Type.Object({ id: Type.Optional(id) }, closed),
    result: Type.Object({
      plugins: Type.Array(pluginSummary, { description: "The plugins that were examined." }),
      diagnostics: Type.Array(pluginNote),
    }),
    errors: ["PLUGIN_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "plugins.enable",
    summary: "Enables a plugin in the configuration and loads it.",
    params: Type.Object({ id, allowConversation }, closed),
    result: pluginChange,
    errors: ["PLUGIN_NOT_FOUND", "CONFIG_INVALID"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "plugins.disable",
    summary: "Disables a plugin in the configuration and unloads it.",
    params: Type.Object({ id }, closed),
    result: pluginChange,
    errors: ["PLUGIN_NOT_FOUND", "CONFIG_INVALID"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "plugins.reload",
    summary:
      "Reads the configuration of plugins again, and reloads one plugin or all, without losing a request.",
    params: Type.Object({ id: Type.Optional(id) }, closed),
    result: pluginChange,
    errors: ["PLUGIN_NOT_FOUND", "CONFIG_INVALID"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "plugins.install",
    summary: "Installs a plugin and loads it, after a scan of its code.",
    params: Type.Object(
      {
        specifier: Type.String({
          minLength: 1,
          description: "npm name, git URL, archive, file, folder, or `<plugin>@<marketplace>`.",
        }),
        cwd: Type.String({
          minLength: 1,
          description: "Base folder for a relative path in `specifier`.",
        }),
        allowConversation,
        force: Type.Optional(
          Type.Boolean({ description: "Installs despite critical findings of the scan." }),
        ),
        accept: Type.Optional(
          Type.Boolean({
            description: "Accepts permissions beyond those of the installed version.",
          }),
        ),
      },
      closed,
    ),
    result: pluginChange,
    errors: [
      "PLUGIN_SOURCE_UNUSABLE",
      "PLUGIN_INSTALL_REFUSED",
      "CONFIG_INVALID",
      ...MARKETPLACE_ERRORS,
    ],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "plugins.update",
    summary: "Installs the current version of an installed plugin from its original source.",
    params: Type.Object(
      {
        id,
        accept: Type.Optional(
          Type.Boolean({ description: "Accepts the permissions that the new version adds." }),
        ),
        preview: Type.Optional(
          Type.Boolean({
            description: "Returns the differences with the code, and installs nothing.",
          }),
        ),
      },
      closed,
    ),
    result: pluginChange,
    errors: [
      "PLUGIN_NOT_FOUND",
      "PLUGIN_SOURCE_UNUSABLE",
      "PLUGIN_INSTALL_REFUSED",
      "MARKETPLACE_CONFLICT",
      ...MARKETPLACE_ERRORS,
    ],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "plugins.accept",
    summary: "Accepts the changed files of an installed plugin, and loads it.",
    params: Type.Object({ id }, closed),
    result: pluginChange,
    errors: ["PLUGIN_NOT_FOUND", "PLUGIN_INSTALL_REFUSED"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "plugins.uninstall",
    summary: "Unloads an installed plugin and removes its files, settings and data.",
    params: Type.Object({ id }, closed),
    result: pluginChange,
    errors: ["PLUGIN_NOT_FOUND", "PLUGIN_INSTALL_REFUSED", "CONFIG_INVALID"],
    scope: "operator.admin",
    effect: "write",
  }),
);

/** Note about a plugin for the operator. */
export type PluginNote = Immutable<Static<typeof pluginNote>>;

/** Plugin in a list. */
export type PluginSummary = Immutable<Static<typeof pluginSummary>>;

/** Result of a change of plugins. */
export type PluginChange = Immutable<Static<typeof pluginChange>>;
