import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

export { marketplaceMethods } from "./installations/marketplaces.js";
export { skillInstallMethods } from "./installations/skill-installs.js";

const closed = { additionalProperties: false };

/** The skill methods (EXT-220). */
export const skillMethods = methodTable(
  defineMethod({
    name: "skills.list",
    summary: "Lists the skills of an agent, and every skill that was left out with the reason.",
    params: Type.Object(
      {
        agentId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: "Default `main`." }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      skills: Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          folder: Type.String(),
          origin: Type.Enum(["plugin", "workspace", "installed", "state", "config"]),
          pluginId: Type.Optional(Type.String()),
          hidden: Type.Boolean({ description: "True if `skills` hides it from this agent." }),
        }),
      ),
      problems: Type.Array(
        Type.Object({
          code: Type.String({
            description: "`SKILL_NAME_DIFFERS` for a skill that is used all the same.",
          }),
          path: Type.String(),
          message: Type.String({ description: "The skill, and why it was left out." }),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
);
