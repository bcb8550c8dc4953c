import { type Static, Type } from "typebox";

/** Schema of `skills`: skills in addition to skills of plugins, workspace and state folder. */
export const skillsSchema = Type.Object(
  {
    folders: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Folders of skills; they win over other skills of the same name.",
      }),
    ),
    hide: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Skills that no agent is offered.",
      }),
    ),
    agents: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object(
          {
            hide: Type.Optional(
              Type.Array(Type.String({ minLength: 1 }), {
                description: "Skills that this agent is not offered.",
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { "x-key": "id" },
      ),
    ),
  },
  { additionalProperties: false, description: "Skills of agents." },
);

/** Skills of agents, `skills`. */
export type SkillsConfiguration = Static<typeof skillsSchema>;
