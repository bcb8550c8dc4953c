import { Type } from "typebox";

/** Note about a plugin for the operator. */
export const pluginNote = Type.Object(
  {
    level: Type.Enum(["info", "warn", "error"]),
    code: Type.String(),
    message: Type.String(),
    pluginId: Type.Optional(Type.String()),
    hint: Type.Optional(Type.String()),
  },
  { title: "PluginNote" },
);

/** Plugin in a list. */
export const pluginSummary = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    version: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    origin: Type.String(),
    status: Type.Enum(["loaded", "disabled", "error"]),
    reason: Type.Optional(
      Type.String({ description: "Reason why the plugin is disabled or failed." }),
    ),
    hint: Type.Optional(Type.String({ description: "Next step." })),
  },
  { title: "PluginSummary" },
);

/** Full description of one plugin. */
export const pluginDetails = Type.Object({
  ...pluginSummary.properties,
  source: Type.String(),
  rootDir: Type.String(),
  registered: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: "Names of the plugin's registrations, by kind.",
  }),
  permissions: Type.Record(Type.String(), Type.Unknown(), {
    description: "Registrations and capabilities that the manifest declares.",
  }),
  isolation: Type.Optional(
    Type.Object(
      {
        tier: Type.Enum(["none", "worker", "process"]),
        enforced: Type.Array(Type.String(), {
          description: "Permissions that bind all code of the plugin, for example `network.hosts`.",
        }),
      },
      { description: "Thread or process of the plugin; absent in the process of the host." },
    ),
  ),
  panels: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        title: Type.String(),
        url: Type.String({ description: "Path of its page, which another load changes." }),
        methods: Type.Array(Type.String(), { description: "Methods that the page may call." }),
        events: Type.Array(Type.String(), {
          description: "Full names of the events for the page.",
        }),
      },
      { title: "PluginPanel" },
    ),
    { description: "Pages for the frames of a console (SDK-523)." },
  ),
  hasConfigSchema: Type.Boolean({ description: "True if `config.schema` has its settings." }),
  manifestPath: Type.Optional(Type.String()),
  packageName: Type.Optional(Type.String()),
  installedFrom: Type.Optional(
    Type.String({ description: "Source from which the plugin was installed." }),
  ),
  diagnostics: Type.Array(pluginNote),
  hooks: Type.Array(
    Type.Object({
      hook: Type.String(),
      priority: Type.Number(),
      fired: Type.Integer({ description: "Number of calls of the handler." }),
      failed: Type.Integer({ description: "Number of calls that failed." }),
      p50Ms: Type.Number({ description: "Median duration of the timed calls; 0 without one." }),
      p99Ms: Type.Number({ description: "99th percentile of the durations." }),
      active: Type.Boolean(),
      reason: Type.Optional(Type.String({ description: "Reason why the handler is not active." })),
    }),
    { description: "Its handlers." },
  ),
  generation: Type.Optional(Type.Integer()),
  loadMs: Type.Optional(Type.Number()),
  registerMs: Type.Optional(Type.Number()),
});

const fileNames = Type.Array(Type.String());

/** Result of a change of plugins. */
export const pluginChange = Type.Object(
  {
    outcome: Type.Enum(["loaded", "kept", "failed", "unloaded"], {
      description:
        "`loaded`: the new plugin is active. `kept`: the previous one is still active, because the new one failed or requests additional permissions. `failed`: it failed, and there was no previous one. `unloaded`: it is disabled or removed.",
    }),
    generation: Type.Integer(),
    plugin: Type.Optional(pluginSummary),
    durationMs: Type.Number({ description: "Duration of the change." }),
    diagnostics: Type.Array(pluginNote),
    consentNeeded: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Hooks that stay inactive until the operator allows the plugin to read conversations (D29).",
      }),
    ),
    addedPermissions: Type.Optional(
      Type.Array(Type.String(), {
        description: "Permissions that an update adds and that are not accepted yet.",
      }),
    ),
    freeSlot: Type.Optional(
      Type.String({
        description: "Slot that the plugin needs and that selects no plugin of this host.",
      }),
    ),
    replaced: Type.Optional(
      Type.Array(Type.String(), {
        description: "IDs of the plugins that gave up a slot for this one.",
      }),
    ),
    update: Type.Optional(
      Type.Object(
        {
          files: Type.Object(
            { added: fileNames, changed: fileNames, removed: fileNames },
            { description: "Executable files; a dependency is one entry." },
          ),
          permissions: Type.Object({
            added: Type.Array(Type.String()),
            removed: Type.Array(Type.String()),
          }),
          code: Type.Optional(
            Type.Object(
              {
                diff: Type.String({
                  description: "Unified difference of the plugin's own files, at most 256 KiB.",
                }),
                omitted: Type.Array(
                  Type.Object({
                    file: Type.String(),
                    reason: Type.Enum(["dependency", "binary", "link", "large", "limit"]),
                  }),
                  { description: "Files that differ and are not in `diff`, each with the reason." },
                ),
              },
              { description: "Lines that differ, while the new version is not installed yet." },
            ),
          ),
        },
        { description: "Differences from the version that was installed before." },
      ),
    ),
  },
  { title: "PluginChange" },
);
