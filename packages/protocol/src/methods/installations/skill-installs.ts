import { Type } from "typebox";
import { defineMethod } from "../../definition/method.js";
import { methodTable } from "../../definition/method-table.js";

const closed = { additionalProperties: false };
const name = Type.String({ minLength: 1, maxLength: 64, description: "Name of the skill." });
const source = Type.String({
  minLength: 1,
  description: "Folder, archive, git URL, package of npm, or `<plugin>@<marketplace>`.",
});
const cwd = Type.String({
  minLength: 1,
  description: "Base folder for a relative path in `source`.",
});
const force = Type.Optional(
  Type.Boolean({ description: "Installs despite critical findings of the scan." }),
);

const installed = Type.Object({
  skills: Type.Array(
    Type.Object({
      name: Type.String(),
      outcome: Type.Enum(["installed", "updated", "unchanged"]),
      source: Type.String({ description: "Source that an update reads." }),
      digest: Type.String({
        description: "SHA-256 over its files, which are checked at each use.",
      }),
      version: Type.Optional(Type.String({ description: "Version of the package of npm." })),
      programs: Type.Array(Type.String({ description: "File that a program can execute." })),
      findings: Type.Array(Type.String({ description: "Finding of the scan." })),
    }),
  ),
});

const SOURCE_ERRORS = [
  "SKILL_INSTALL_REFUSED",
  "PLUGIN_SOURCE_UNUSABLE",
  "MARKETPLACE_UNUSABLE",
  "MARKETPLACE_NOT_FOUND",
  "MARKETPLACE_REDIRECTED",
  "MARKETPLACE_PLUGIN_NOT_FOUND",
  "MARKETPLACE_PLUGIN_REFUSED",
  "NETWORK_DENIED",
] as const;

/** The methods that install skills (EXT-547). */
export const skillInstallMethods = methodTable(
  defineMethod({
    name: "skills.search",
    summary: "Lists the skills of a source, or those of the marketplaces that were added.",
    params: Type.Object(
      {
        query: Type.Optional(
          Type.String({
            maxLength: 200,
            description: "Words that all occur in the name or description.",
          }),
        ),
        source: Type.Optional(source),
        cwd,
      },
      closed,
    ),
    result: Type.Object({
      skills: Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          source: Type.String({ description: "Source for `skills.install`." }),
        }),
      ),
    }),
    errors: SOURCE_ERRORS,
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "skills.install",
    summary: "Installs skills of a source after a scan. Nothing of them is executed.",
    params: Type.Object(
      {
        source,
        cwd,
        names: Type.Optional(
          Type.Array(name, { maxItems: 500, description: "Skills of a source that has several." }),
        ),
        all: Type.Optional(Type.Boolean({ description: "Installs every skill of the source." })),
        force,
      },
      closed,
    ),
    result: installed,
    errors: SOURCE_ERRORS,
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "skills.update",
    summary: "Installs the current version of one installed skill or of all.",
    params: Type.Object({ name: Type.Optional(name), force }, closed),
    result: installed,
    errors: ["SKILL_NOT_INSTALLED", ...SOURCE_ERRORS],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "skills.remove",
    summary: "Removes an installed skill with its files.",
    params: Type.Object({ name }, closed),
    result: Type.Object({ name: Type.String() }),
    errors: ["SKILL_NOT_INSTALLED"],
    scope: "operator.admin",
    effect: "write",
  }),
);
