import { Type } from "typebox";
import { defineMethod } from "../../definition/method.js";
import { methodTable } from "../../definition/method-table.js";

// What plugins offer to people belongs together.
export { promptMethods } from "./prompts.js";

const closed = { additionalProperties: false };
const tool = Type.String({
  description: "Tool that reads it with the argument `uri`, on the path of all tools.",
});
const about = {
  name: Type.String(),
  description: Type.Optional(Type.String()),
  mimeType: Type.Optional(Type.String()),
  pluginId: Type.String(),
  tool,
};

/** The methods of resources of plugins (PLUG-351). */
export const resourceMethods = methodTable(
  defineMethod({
    name: "resources.list",
    summary: "Lists the resources of plugins, and the templates of their URIs.",
    params: Type.Object({}, closed),
    result: Type.Object({
      resources: Type.Array(Type.Object({ uri: Type.String(), ...about })),
      templates: Type.Array(Type.Object({ uriTemplate: Type.String(), ...about })),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "resources.find",
    summary: "Returns the tool that reads the resource of a plugin at a URI.",
    params: Type.Object({ uri: Type.String({ minLength: 1, maxLength: 4000 }) }, closed),
    result: Type.Object({ tool: Type.Optional(tool) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "resources.complete",
    summary: "Returns values for a variable of a template that a person is writing.",
    params: Type.Object(
      {
        uriTemplate: Type.String({ minLength: 1, maxLength: 4000 }),
        variable: Type.String({ minLength: 1, maxLength: 200 }),
        value: Type.String({ maxLength: 10_000, description: "Value as far as it is written." }),
      },
      closed,
    ),
    result: Type.Object({ values: Type.Array(Type.String()) }),
    errors: [],
    scope: "operator.write",
    effect: "read",
  }),
);
