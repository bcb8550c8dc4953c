import { type Static, Type } from "typebox";

const names = Type.Array(Type.String({ minLength: 1 }));

/** Schema of `skills`: which skills there are beside those of plugins, workspace and state folder. */
export const skillsSchema = Type.Object(
  {
    folders: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Folders of skills; of skills with one name these win.",
      }),
    ),
    hide: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { description: "Names no agent is offered." }),
    ),
    agents: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({ hide: Type.Optional(names) }, { additionalProperties: false }),
        { description: "By agent id: names this agent is not offered." },
      ),
    ),
  },
  { additionalProperties: false },
);

/** Which skills there are, `skills`. */
export type SkillsConfiguration = Static<typeof skillsSchema>;
