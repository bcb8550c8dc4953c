import { Type } from "typebox";
import { type CommandOutputs, document, path, pluginNote, resultOf } from "./command-output.js";

const change = (method: Parameters<typeof resultOf>[0]) => document(resultOf(method));

const built = document(
  Type.Object({
    file: path,
    drift: Type.Array(Type.String({ description: "Difference to the registrations." })),
    written: Type.Boolean(),
  }),
);

/** Outputs of the commands about plugins and hooks. */
export const pluginOutputs: CommandOutputs = {
  "plugins list": document(
    Type.Object({
      plugins: Type.Array(
        Type.Object({
          id: Type.String(),
          origin: Type.String(),
          enabled: Type.Boolean(),
          version: Type.Optional(Type.String()),
          description: Type.Optional(Type.String()),
          reason: Type.Optional(Type.String()),
          hint: Type.Optional(Type.String()),
          error: Type.Optional(Type.Object({ message: Type.String() })),
        }),
      ),
      diagnostics: Type.Array(pluginNote),
      policy: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
      generation: Type.Optional(
        Type.Integer({ description: "Number of the plugin generation of a running gateway." }),
      ),
    }),
  ),
  "plugins inspect": document(resultOf("plugins.inspect")),
  "plugins install": change("plugins.install"),
  "plugins update": change("plugins.update"),
  "plugins accept": change("plugins.accept"),
  "plugins uninstall": change("plugins.uninstall"),
  "plugins enable": change("plugins.enable"),
  "plugins disable": change("plugins.disable"),
  "plugins reload": change("plugins.reload"),
  "plugins marketplace add": document(resultOf("marketplaces.add")),
  "plugins marketplace list": document(resultOf("marketplaces.list")),
  "plugins marketplace search": document(resultOf("marketplaces.search")),
  "plugins marketplace update": document(resultOf("marketplaces.update")),
  "plugins marketplace remove": document(resultOf("marketplaces.remove")),
  "plugins doctor": document(
    Type.Object({
      passed: Type.Boolean(),
      findings: Type.Array(
        Type.Object({
          status: Type.Enum(["ok", "note", "warn", "fail"]),
          subject: Type.String(),
          message: Type.String(),
          fix: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
  "plugins try": document(
    Type.Object({
      id: Type.String(),
      registered: Type.Record(Type.String(), Type.Array(Type.Unknown())),
      diagnostics: Type.Array(pluginNote),
      reply: Type.Optional(
        Type.Object({ status: Type.String(), text: Type.Optional(Type.String()) }),
      ),
    }),
  ),
  "plugins link": document(Type.Object({ folder: path, linked: Type.Array(Type.String()) })),
  "plugins fix-manifest": built,
  "plugins build": built,
  "plugins validate": document(
    Type.Object({
      path,
      passed: Type.Boolean(),
      checks: Type.Array(
        Type.Object({
          id: Type.String(),
          title: Type.String(),
          status: Type.Enum(["passed", "failed", "skipped"]),
          reason: Type.Optional(Type.String()),
          findings: Type.Array(Type.Object({ level: Type.String(), message: Type.String() })),
        }),
      ),
    }),
  ),
  "plugins compat": document(
    Type.Object({
      id: Type.String(),
      version: Type.Optional(Type.String()),
      format: Type.Enum(["plugin", "bundle"]),
      loads: Type.Boolean(),
      parts: Type.Array(
        Type.Object({
          kind: Type.String(),
          name: Type.String(),
          status: Type.Enum(["works", "mapped", "unsupported"]),
          reason: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
  "hooks list": document(
    Type.Object({
      ...resultOf("hooks.list").properties,
      configured: resultOf("hooks.configured").properties.hooks,
      problems: resultOf("hooks.configured").properties.problems,
    }),
  ),
  "hooks show": document(Type.Union([resultOf("hooks.show"), resultOf("hooks.describe")])),
  "hooks enable": document(resultOf("hooks.enable")),
  "hooks disable": document(resultOf("hooks.disable")),
  "hooks approve": document(
    Type.Object({
      approved: Type.Boolean(),
      file: Type.Optional(Type.String()),
      hash: Type.Optional(Type.String()),
      commands: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  "hooks test": document(
    Type.Union([
      Type.Object({
        hook: Type.String(),
        point: Type.String(),
        outcome: Type.Enum(["continue", "modify", "block", "skipped", "error"]),
        content: Type.Optional(Type.String()),
        params: Type.Optional(Type.Object({})),
        reason: Type.Optional(Type.String()),
        error: Type.Optional(Type.String()),
        durationMs: Type.Optional(Type.Number()),
      }),
      Type.Object({
        hook: Type.String(),
        event: Type.Object({}),
        outcome: Type.Optional(Type.String()),
        result: Type.Optional(Type.Unknown()),
        error: Type.Optional(Type.String()),
        handlers: Type.Array(
          Type.Object({
            source: Type.Optional(Type.String()),
            outcome: Type.String(),
            durationMs: Type.Optional(Type.Number()),
          }),
        ),
      }),
    ]),
  ),
};
