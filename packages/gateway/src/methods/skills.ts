import type { SkillCatalog, SkillProblem } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import { skillMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Host } from "../host/running-host.js";

/** Dependencies of {@link createSkillMethods}. */
export interface SkillMethodDependencies {
  readonly host: Pick<Host, "services">;
}

/**
 * Creates the skill methods (EXT-220).
 * @param dependencies - host whose current skills are listed
 */
export function createSkillMethods({
  host,
}: SkillMethodDependencies): MethodRegistry<typeof skillMethods> {
  return MethodRegistry.of(skillMethods, {
    "skills.list": async ({ agentId = "main" }) => {
      const { skills } = host.services;
      const offered = new Set((await skills.offered(agentId)).map(({ name }) => name));
      return {
        skills: skills.all().map(({ name, description, folder, origin }) => ({
          ...{ name, description, folder, origin: origin.kind },
          ...defined({ pluginId: origin.pluginId }),
          hidden: !offered.has(name),
        })),
        problems: skills.problems().map((problem) => ({ ...problem })),
      };
    },
  });
}

/**
 * Returns the skills that were left out because of a fault, which a person can repair.
 * @param skills - skills of a host
 */
export async function leftOutSkills(
  skills: Pick<SkillCatalog, "offered" | "problems">,
): Promise<SkillProblem[]> {
  await skills.offered("main");
  return skills
    .problems()
    .filter(({ code }) => code !== "SKILL_CONDITION" && code !== "SKILL_NAME_DIFFERS")
    .map((problem) => ({ ...problem }));
}
