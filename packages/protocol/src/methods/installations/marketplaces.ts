import { Type } from "typebox";
import { defineMethod } from "../../definition/method.js";
import { methodTable } from "../../definition/method-table.js";

const closed = { additionalProperties: false };
const name = Type.String({ minLength: 1, maxLength: 64, description: "Name of the marketplace." });

const marketplace = Type.Object({
  name: Type.String(),
  source: Type.String({ description: "Folder, git URL, or URL of its `marketplace.json`." }),
  kind: Type.Enum(["folder", "git", "url"]),
  owner: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  commit: Type.Optional(Type.String({ description: "Commit that is on disk." })),
  updatedAt: Type.Integer({ description: "Milliseconds since the epoch." }),
  plugins: Type.Integer({ description: "Number of plugins that it offers." }),
  problems: Type.Array(Type.String({ description: "An entry that is left out, and why." })),
});

const offeredPlugin = Type.Object({
  name: Type.String(),
  marketplace: Type.String(),
  description: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
  keywords: Type.Array(Type.String()),
  installed: Type.Boolean({ description: "True when it is installed from this marketplace." }),
});

const SOURCE_ERRORS = [
  "MARKETPLACE_UNUSABLE",
  "MARKETPLACE_CONFLICT",
  "MARKETPLACE_REDIRECTED",
  "NETWORK_DENIED",
  "PLUGIN_SOURCE_UNUSABLE",
] as const;

/** The marketplace methods (EXT-544). */
export const marketplaceMethods = methodTable(
  defineMethod({
    name: "marketplaces.list",
    summary: "Lists the marketplaces that were added, each with the entries that cannot be used.",
    params: Type.Object({}, closed),
    result: Type.Object({ marketplaces: Type.Array(marketplace) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "marketplaces.search",
    summary:
      "Lists the plugins that marketplaces offer, by a text in their names and descriptions.",
    params: Type.Object(
      {
        query: Type.Optional(
          Type.String({
            maxLength: 200,
            description: "Words that all occur; every plugin when absent.",
          }),
        ),
        name: Type.Optional(name),
      },
      closed,
    ),
    result: Type.Object({ plugins: Type.Array(offeredPlugin) }),
    errors: ["MARKETPLACE_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "marketplaces.add",
    summary: "Adds a marketplace of plugins. Nothing of it is executed.",
    params: Type.Object(
      {
        source: Type.String({
          minLength: 1,
          description:
            "Folder, git URL, `owner/name` of GitHub, or https URL of a `marketplace.json`.",
        }),
        cwd: Type.String({
          minLength: 1,
          description: "Base folder for a relative path in `source`.",
        }),
      },
      closed,
    ),
    result: marketplace,
    errors: SOURCE_ERRORS,
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "marketplaces.update",
    summary: "Fetches one marketplace or all again, and returns what changed.",
    params: Type.Object({ name: Type.Optional(name) }, closed),
    result: Type.Object({
      marketplaces: Type.Array(
        Type.Object({
          name: Type.String(),
          added: Type.Array(Type.String({ description: "Plugin that it did not have." })),
          removed: Type.Array(
            Type.String({ description: "Plugin that it does not have any more." }),
          ),
          newer: Type.Array(
            Type.Object({
              plugin: Type.String(),
              pluginId: Type.String(),
              installed: Type.Optional(Type.String({ description: "Installed version." })),
              offered: Type.String({ description: "Version that the marketplace offers." }),
            }),
          ),
          problem: Type.Optional(
            Type.String({ description: "Reason why it stays as it was; only without `name`." }),
          ),
        }),
      ),
    }),
    errors: ["MARKETPLACE_NOT_FOUND", ...SOURCE_ERRORS],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "marketplaces.remove",
    summary: "Removes a marketplace. Plugins that were installed from it stay.",
    params: Type.Object({ name }, closed),
    result: Type.Object({
      name: Type.String(),
      plugins: Type.Array(
        Type.String({ description: "ID of a plugin that was installed from it." }),
      ),
    }),
    errors: ["MARKETPLACE_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
);
