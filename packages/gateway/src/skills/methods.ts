import { defined } from "@openclaw/foundation";
import { skillInstallMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import {
  type InstalledSkill,
  type InstalledSkillDependencies,
  InstalledSkills,
} from "./installed-skills.js";

/**
 * Creates the methods that install skills (EXT-547).
 * @param dependencies - state folder, marketplaces, network check, rules and clock
 */
export function createSkillInstallMethods(
  dependencies: InstalledSkillDependencies,
): MethodRegistry<typeof skillInstallMethods> {
  const skills = new InstalledSkills(dependencies);
  return MethodRegistry.of(skillInstallMethods, {
    "skills.search": async ({ query = "", source, cwd }) => {
      const words = query.toLowerCase().split(/\s+/);
      const offered = await skills.offered(source, cwd);
      return {
        skills: offered.filter(({ name, description }) => {
          const text = `${name} ${description}`.toLowerCase();
          return words.every((word) => text.includes(word));
        }),
      };
    },
    "skills.install": async ({ source, cwd, names = [], all = false, force = false }) => ({
      skills: (await skills.install(source, { cwd, names, all, force })).map(resultOf),
    }),
    "skills.update": async ({ name, force = false }) => ({
      skills: (await skills.update(name, { force })).map(resultOf),
    }),
    "skills.remove": async ({ name }) => {
      await skills.remove(name);
      return { name };
    },
  });
}

function resultOf({ name, outcome, requested, digest, ...rest }: InstalledSkill) {
  const { version, programs, findings } = rest;
  return {
    ...{ name, outcome, digest, source: requested },
    ...defined({ version }),
    ...{ programs: [...programs], findings: [...findings] },
  };
}
